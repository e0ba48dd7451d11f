"""A service that expands, stores and gives back eval-set manifests, with FastAPI.

- `POST /v1/eval-sets/expand` tells what a manifest stands for and may cost, and keeps nothing;
- `POST /v1/eval-sets` stores a manifest; the same one, sent twice, is stored once;
- `GET /v1/eval-sets/{digest}?workspace_id=` gives it back, also if a newer release stored it.

What is refused is answered after RFC 9457, with every finding at its place in the body.

    python -m examples.service.app --store evalsets.sqlite --prices examples/service/prices.json
"""

import argparse
import json
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

import fastapi
import uvicorn
from examples.service.description import REQUEST, answers, describe, problems
from examples.service.problems import UnreadableError, answer_with_problems
from examples.service.store import Store
from fastapi import Depends, FastAPI, HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field, ValidationError

import evalset
from evalset import Expansion, Manifest, TokenPrices
from evalset.costing import CostModel
from evalset.keys import KeyBy

MAX_BODY = 1024 * 1024


class Options(BaseModel):
    """What a body holds, the manifest as it comes."""

    model_config = ConfigDict(extra="forbid", strict=True)

    workspace_id: UUID
    manifest: Any
    max_combinations: int = Field(default=2000, ge=1, le=2000)


class EvalSet(BaseModel):
    """A stored manifest, with what there is to say of it."""

    digest: str
    workspace_id: UUID
    manifest: Manifest
    diagnostics: list[dict[str, Any]]


async def read_body(request: Request) -> bytes:
    """Read a body, but no more of it than shows that it is too large."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MAX_BODY:
            raise HTTPException(413, f"the body is larger than {MAX_BODY:,} bytes")
    return bytes(body)


Body = Annotated[bytes, Depends(read_body)]
Digest = Annotated[str, fastapi.Path(pattern="^[0-9a-f]{64}$")]


def create_app(*, store: Path, costs: CostModel, key_by: KeyBy = "label") -> FastAPI:
    """Make the service.

    Args:
        store: A file of SQLite, which is made if it is not there.
        costs: What combinations cost.
        key_by: The dialect of the keys. A service has one, for as long as it keeps results.
    """
    sets = Store(store)
    app = FastAPI(title="Eval sets", version="1")

    def read(body: bytes) -> tuple[UUID, Expansion]:
        # The framework parses no body: a key that stands twice would be gone, and all places.
        manifest = evalset.loads(body, format="json", name="body", at="/manifest")
        try:
            options = Options.model_validate_json(body)
        except ValidationError as error:
            raise RequestValidationError(error.errors()) from None
        cap = options.max_combinations
        return options.workspace_id, evalset.expand(manifest, max_combinations=cap, key_by=key_by)

    def to_eval_set(workspace_id: UUID, digest: str, text: str) -> EvalSet:
        # What a newer release has written is kept, and warned of.
        found = evalset.check_text(text, format="json", name=digest, unknown="keep", key_by=key_by)
        if found.manifest is None:
            raise UnreadableError(found.diagnostics)
        return EvalSet(
            digest=digest,
            workspace_id=workspace_id,
            manifest=found.manifest,
            diagnostics=[diagnostic.to_dict() for diagnostic in found.diagnostics],
        )

    # Each is a plain `def`, which runs in a thread: a large body holds up no other request.

    @app.post(
        "/v1/eval-sets/expand", responses=answers() | problems(413, 422), openapi_extra=REQUEST
    )
    def expand(body: Body) -> JSONResponse:
        """Tell what a manifest stands for, and what it may cost."""
        _, expansion = read(body)
        return JSONResponse(to_answer(expansion, costs))

    @app.post("/v1/eval-sets", status_code=201, responses=problems(413, 422), openapi_extra=REQUEST)
    def create(body: Body, response: Response) -> EvalSet:
        """Store a manifest under its digest."""
        workspace_id, expansion = read(body)
        digest = expansion.manifest.digest()
        text = evalset.dumps(expansion.manifest, format="json")
        sets.add(workspace_id, digest, text)
        response.headers["location"] = f"/v1/eval-sets/{digest}?workspace_id={workspace_id}"
        return to_eval_set(workspace_id, digest, text)

    @app.get("/v1/eval-sets/{digest}", responses=problems(404, 422, 500))
    def find(digest: Digest, workspace_id: UUID) -> EvalSet:
        """Give a stored manifest."""
        text = sets.find(workspace_id, digest)
        if text is None:
            raise HTTPException(404, "the workspace has no such eval set")
        return to_eval_set(workspace_id, digest, text)

    answer_with_problems(app)
    describe(app)
    return app


def to_answer(expansion: Expansion, costs: CostModel) -> dict[str, Any]:
    """Give the report, with limits that are always there, and the estimate."""
    estimate = evalset.estimate(expansion, costs)
    no_limits = {"max_concurrent_runs": 0, "budget_usd": 0}
    answer = {**no_limits, **expansion.to_dict(), "estimate": estimate.to_dict()}
    if estimate.budget == "exceeds":
        answer["warning"] = "estimated_cost_exceeds_budget"
    return answer


def main() -> None:
    """Serve on loopback until interrupted."""
    parser = argparse.ArgumentParser(description="Serve eval sets.")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--store", type=Path, required=True)
    parser.add_argument("--prices", type=Path, required=True)
    parser.add_argument("--key-by", choices=["label", "deployment"], default="label")
    options = parser.parse_args()
    prices = TokenPrices.from_dict(json.loads(options.prices.read_text(encoding="utf-8")))
    app = create_app(store=options.store, costs=prices, key_by=options.key_by)
    uvicorn.run(app, port=options.port)


if __name__ == "__main__":
    main()
