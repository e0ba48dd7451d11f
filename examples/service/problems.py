"""Refusals as answers after RFC 9457: `application/problem+json`."""

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from evalset import Diagnostic, EvalsetError
from evalset.nodes import to_pointer


class UnreadableError(Exception):
    """A stored manifest can't be read, for which no client is to blame."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__(diagnostics)
        self.diagnostics = diagnostics


def answer_with_problems(app: FastAPI) -> None:
    """Give every refusal of a service its answer."""

    @app.exception_handler(EvalsetError)
    def refused(_: Request, error: EvalsetError) -> Response:
        return answer(error.to_dict())

    @app.exception_handler(UnreadableError)
    def unreadable(_: Request, error: UnreadableError) -> Response:
        diagnostics = [diagnostic.to_dict() for diagnostic in error.diagnostics]
        detail = "the stored manifest can't be read"
        return answer({**blank(500, detail), "diagnostics": diagnostics})

    @app.exception_handler(RequestValidationError)
    def misused(_: Request, error: RequestValidationError) -> Response:
        errors = [
            {"detail": each["msg"], "place": to_pointer(each["loc"])} for each in error.errors()
        ]
        detail = f"{errors[0]['place']}: {errors[0]['detail']}"
        return answer({**blank(422, detail), "errors": errors})

    @app.exception_handler(HTTPException)
    def other(_: Request, error: HTTPException) -> Response:
        return answer(blank(error.status_code, str(error.detail)), error.headers)


def blank(status: int, detail: str) -> dict[str, Any]:
    """Give a problem that has no type of its own."""
    title = HTTPStatus(status).phrase
    return {"type": "about:blank", "title": title, "status": status, "detail": detail}


def answer(problem: dict[str, Any], headers: Mapping[str, str] | None = None) -> Response:
    """Make an answer of a problem."""
    return Response(
        json.dumps(problem),
        status_code=problem["status"],
        headers=headers,
        media_type="application/problem+json",
    )
