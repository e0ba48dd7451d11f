"""What there is to say of references: which have no id, and which two have one.

Only words and places; what is asked, and in which order, is decided in `inquiry`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, TypeAlias, final

import attrs

from evalset.collisions import find_collisions
from evalset.hosts import Ambiguous, NotFound, retry_after_of, said_by
from evalset.keys import KeyBy, normalize_label
from evalset.manifest import Manifest
from evalset.nodes import Path
from evalset.quoting import escape, quote
from evalset.references import PackRef, normalize_id
from evalset.resolution import Failure, Resolved
from evalset.rules import Finding

__all__ = [
    "Case",
    "Conclusion",
    "cases_of",
    "explain_failures",
    "explain_twins",
    "identity",
    "warn_of_fallbacks",
]

Conclusion: TypeAlias = Resolved | Failure
"""What came of a reference."""

_SHOWN = 3  # names that a hint lists at most
_LENGTH = 200  # characters of what an exception says that a message shows at most


@final
@attrs.frozen
class Case:
    """One reference, with every place where it stands.

    Attributes:
        ref: The reference as the manifest has it.
        paths: Where it stands, in order; several only for agents.
        pack: What it means; None for an agent.
        may_be_made: Whether the catalog may be asked to make it.
    """

    ref: str
    paths: tuple[Path, ...] = attrs.field(kw_only=True)
    pack: PackRef | None = attrs.field(default=None, kw_only=True)
    may_be_made: bool = attrs.field(default=False, kw_only=True)

    @property
    def kind(self) -> Literal["pack", "agent"]:
        """What the reference names."""
        return "pack" if self.pack else "agent"

    @property
    def is_id(self) -> bool:
        """Whether it is a UUID, so that nobody is asked."""
        return normalize_id(self.ref) is not None


def cases_of(manifest: Manifest, *, has_catalog: bool, fallback: bool) -> list[Case]:
    """Give each distinct reference of a manifest: packs, then agents, in order.

    Args:
        manifest: The manifest; no pack stands in it twice.
        has_catalog: Whether packs can be made.
        fallback: Whether a plain slug may be made, too.
    """
    packs = [
        Case(
            ref,
            paths=(("packs", index),),
            pack=PackRef.parse(ref),
            may_be_made=has_catalog and _may_be_made(PackRef.parse(ref), fallback=fallback),
        )
        for index, ref in enumerate(manifest.packs)
    ]
    agents: dict[str, list[Path]] = {}
    for index, agent in enumerate(manifest.agents):
        agents.setdefault(agent.deployment, []).append(("agents", index, "deployment"))
    return [*packs, *(Case(name, paths=tuple(paths)) for name, paths in agents.items())]


def _may_be_made(ref: PackRef, *, fallback: bool) -> bool:
    # The catalog can't be asked for a version, and must not give another one in silence.
    is_wanted = ref.kind == "catalog" or (fallback and ref.kind == "slug")
    return is_wanted and ref.version is None


def explain_failures(cases: Iterable[tuple[Case, Conclusion]]) -> list[Finding]:
    """Say of each reference without an id why it has none."""
    return [_explain(case, each) for case, each in cases if isinstance(each, Failure)]


def _explain(case: Case, failure: Failure) -> Finding:
    code, message, hint = _words(case, failure)
    also = tuple((f"the same {case.kind}", path) for path in case.paths[1:])
    return Finding(code, message, case.paths[0], hint=hint, related=also)


def _words(case: Case, failure: Failure) -> tuple[str, str, str | None]:
    name = f"the {case.kind} {quote(case.ref)}"
    if isinstance(failure.outcome, Ambiguous):
        listed = _listed(failure.outcome.candidates)
        message = f"{name} is ambiguous: {listed or 'several fit'}"
        return "ambiguous-reference", message, "write the id of the one that is meant"
    if isinstance(failure.outcome, NotFound):
        return f"{case.kind}-not-found", _absent(case, failure), _near(case, failure.outcome)
    if failure.exception is None:
        message = f"{name} was not looked up: the host could not answer before"
        return "host-unavailable", message, None
    asked = "could not make" if failure.asking == "instantiate" else "could not look for"
    error, text = said_by(failure.exception)
    message = f"the host {asked} {name}: {error}, {_reason(text)}"
    wait = retry_after_of(failure.exception)
    return "host-unavailable", message, None if wait is None else f"ask again after {wait:g} s"


def _absent(case: Case, failure: Failure) -> str:
    name = f"the {case.kind} {quote(case.ref)}"
    if failure.asking == "instantiate":
        return f"neither the workspace nor the catalog has {name}"
    if case.pack and case.pack.kind == "catalog" and case.pack.version is None:
        return f"the workspace does not have {name}, and there is no catalog to make it from"
    return f"the workspace does not have {name}"


def _near(case: Case, outcome: NotFound) -> str | None:
    if outcome.near:
        return f"names count exactly as written; there is {_listed(outcome.near)}"
    if case.pack and case.pack.version is not None:
        return "a pack is made from the catalog only where no version is written"
    return None


def _reason(text: str) -> str:
    if not text:
        return "no reason was given"
    return f'"{escape(text if len(text) <= _LENGTH else f"{text[: _LENGTH - 1]}…")}"'


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _SHOWN
    listed = ", ".join(map(quote, names[:_SHOWN]))
    return f"{listed} and {more:,} more" if more > 0 else listed


def identity(case: Case, conclusion: Conclusion) -> tuple[str, str] | None:
    """Give what tells a pack or an agent from every other one; None: nothing is known."""
    if isinstance(conclusion, Failure):
        return None
    if conclusion.id is not None:
        return case.kind, normalize_id(conclusion.id) or normalize_label(conclusion.id)
    return "catalog", case.pack.slug if case.pack else ""


def explain_twins(
    cases: Sequence[tuple[Case, Conclusion]], manifest: Manifest, key_by: KeyBy
) -> list[Finding]:
    """Say which two references are one, and which ids would give two combinations one key."""
    twins = list(_twins(cases))
    if twins:
        return twins
    ids = {
        path: each.id for case, each in cases if isinstance(each, Resolved) for path in case.paths
    }
    packs = [ids.get(("packs", index)) for index in range(len(manifest.packs))]
    agents = [
        (ids.get(("agents", index, "deployment")) or agent.deployment,
         agent.label or agent.deployment)
        for index, agent in enumerate(manifest.agents)
    ]  # fmt: skip
    return find_collisions(packs, agents, manifest.models, key_by=key_by)


def _twins(cases: Iterable[tuple[Case, Conclusion]]) -> Iterator[Finding]:
    firsts: dict[tuple[str, str], Case] = {}
    for case, each in cases:
        key = identity(case, each)
        if key is None or firsts.setdefault(key, case) is case:
            continue
        first = firsts[key]
        reason = f"both are {quote(key[1])}"
        if key[0] == "catalog":
            reason = f"both would be made from the catalog's {quote(key[1])}"
        yield Finding(
            f"same-{case.kind}",
            f"the {case.kind}s {quote(first.ref)} and {quote(case.ref)} are one: {reason}",
            case.paths[0],
            hint="remove one of the two",
            related=((f"the first of the two {case.kind}s", first.paths[0]),),
        )


def warn_of_fallbacks(cases: Iterable[tuple[Case, Conclusion]]) -> list[Finding]:
    """Say which plain slugs the catalog gave, or would give."""
    return [
        _fallback(case, each)
        for case, each in cases
        if isinstance(each, Resolved)
        and each.how in {"catalog", "pending"}
        and case.pack
        and case.pack.kind == "slug"
    ]


def _fallback(case: Case, resolved: Resolved) -> Finding:
    made = "it was" if resolved.id else "a run would have it"
    return Finding(
        "catalog-fallback",
        f"the workspace has no pack {quote(case.ref)}; {made} made from the catalog",
        case.paths[0],
        hint=f'write "catalog/{escape(case.ref)}" if that is what you want',
    )
