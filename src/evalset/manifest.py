"""The manifest: frozen, of normal values, and never wrong.

A manifest that exists obeys every rule that depends neither on the dialect of the key
nor on a caller's cap, whether it was read or built in code.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast, final

import attrs

from evalset import normal
from evalset.canonical import sha256_hex
from evalset.errors import ManifestError
from evalset.extensions import Extensions
from evalset.nodes import ReadLimits
from evalset.parts import (
    NO_EXTENSIONS,
    Agent,
    Limits,
    Seeds,
    assemble,
    check_names,
    checks_of,
    has_own_keys,
    plain,
    recognise,
    to_dict,
    unplaced,
)
from evalset.rules import KEYS, MAX_COMBINATIONS, Finding, is_sound_text
from evalset.shapes import demand, is_list, is_mapping
from evalset.sources import Source, descend, parse_pointer

if TYPE_CHECKING:
    from evalset.checks import Checks, Unknown
    from evalset.diagnostics import Diagnostic
    from evalset.pictures import Matrix

__all__ = [
    "SCHEMA",
    "Manifest",
    "build",
    "build_from_data",
    "picture_of",
    "place_in",
    "with_source",
]

SCHEMA = "evalset/v1"
"""What `schema` says in every manifest of this version."""

_DIGEST_PREFIX = "evalset/v1 manifest"
_NAMES = frozenset(KEYS[""])


def _agents(values: Sequence[Agent]) -> tuple[Agent, ...]:
    if not isinstance(values, (list, tuple)):
        return cast("tuple[Agent, ...]", values)
    return tuple([demand(value, Agent, "an item of agents") for value in values])


def _seeds(value: Seeds | None) -> Seeds:
    return Seeds() if value is None else demand(value, Seeds, "seeds")


def _limits(value: Limits | None) -> Limits:
    return Limits() if value is None else demand(value, Limits, "limits")


@final
@attrs.frozen
class Manifest:
    """An evalset/v1 manifest.

    Attributes:
        name: The set's name for people; trimmed, not blank.
        packs: References of packs, at least one, in order: a workspace version's UUID, a
            slug, or `catalog/<slug>`.
        agents: The agents, at least one, in order.
        models: The models that override the harness's own, in order; empty: one implicit
            slot.
        repeats: How often each pack, agent and model runs, from 1.
        seeds: Where the seeds come from.
        limits: Soft limits.
        case_fanout: Whether native packs prefer an activity for each case.
        scanners: Names of scanners that run when the set completes.
        schema: Always `evalset/v1`.
        extensions: The `x-` keys of the top level.
        source: What the manifest was read from, or None. It does not count for equality,
            hash, repr or pickle, and `replace` drops it.
        at: JSON Pointer of the manifest inside the body that it was read from; empty for
            the whole of it, and where `source` would not count either.

    Guarantees:
        Immutable, hashable, picklable; equal exactly when the digests are equal. packs x
        agents x max(models, 1) x repeats is at most 2000.

    Raises:
        ManifestError: A rule is broken; every finding is in it, without places.
        TypeError: A part is no Agent, Seeds or Limits, or the extensions are no mapping.

    Example:
        >>> manifest = Manifest("nightly", packs=["catalog/swe-bug-fix"], agents=[Agent("gpt")])
        >>> manifest.replace(repeats=3).repeats
        3

    Source: the specification, "Fields".
    """

    name: str = attrs.field(converter=normal.text)
    packs: tuple[str, ...] = attrs.field(kw_only=True, converter=normal.texts)
    agents: tuple[Agent, ...] = attrs.field(kw_only=True, converter=_agents)
    models: tuple[str, ...] = attrs.field(default=(), kw_only=True, converter=normal.optional_texts)
    repeats: int = attrs.field(default=1, kw_only=True, converter=normal.repeats)
    seeds: Seeds = attrs.field(factory=Seeds, kw_only=True, converter=_seeds)
    limits: Limits = attrs.field(factory=Limits, kw_only=True, converter=_limits)
    case_fanout: bool = attrs.field(default=False, kw_only=True, converter=normal.flag)
    scanners: tuple[str, ...] = attrs.field(
        default=(), kw_only=True, converter=normal.optional_texts
    )
    schema: str = attrs.field(default=SCHEMA, kw_only=True, converter=normal.exact)
    extensions: Extensions = attrs.field(
        default=NO_EXTENSIONS, kw_only=True, converter=normal.extensions
    )
    source: Source | None = attrs.field(default=None, init=False, eq=False, repr=False)
    at: str = attrs.field(default="", init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        check_names(self)
        if not _is_sound(self):
            from evalset.explaining import explain

            raise ManifestError(explain(plain(self), checks=checks_of(self)))

    @property
    def count(self) -> int:
        """How many combinations the manifest has: 1 to 2000."""
        return len(self.packs) * len(self.agents) * max(len(self.models), 1) * self.repeats

    @classmethod
    def from_dict(
        cls, data: Mapping[str, Any], *, at: str = "", unknown: Unknown = "error"
    ) -> Manifest:
        """Build a manifest from plain data, as strictly as from a text.

        Args:
            data: Mappings, lists or tuples, text, numbers, booleans and None, as
                `json.loads` gives them.
            at: JSON Pointer of the manifest inside the data; findings point from the
                whole of it.
            unknown: `error` refuses keys that the format does not have; `keep` puts them
                into `extensions`, to read back what a newer writer stored.

        Raises:
            ManifestError: The data is not a manifest; every finding is in it.
            TypeError: `at` is no str.
            ValueError: `unknown` is neither, or `at` is no JSON Pointer.
        """
        from evalset.checks import Checks

        manifest, diagnostics = build_from_data(data, at=at, checks=Checks(unknown=unknown))
        if manifest is None:
            raise ManifestError(diagnostics)
        return manifest

    def to_dict(self) -> dict[str, Any]:
        """Give plain data in the order of the specification, without what is default.

        Returns:
            New dicts and lists that `from_dict` reads back to an equal manifest; with keys
            that `unknown="keep"` kept, under the same option.
        """
        return {"schema": self.schema, **to_dict(self)}

    def replace(self, **changes: Any) -> Manifest:  # noqa: ANN401 (as the constructor's)
        """Give a manifest with some fields changed, checked as a whole.

        Raises:
            ManifestError: A rule is broken.
            TypeError: There is no such field; or as for the constructor.
        """
        return attrs.evolve(self, **changes)

    def digest(self) -> str:
        """Give SHA-256, in hexadecimal, over the manifest's canonical form.

        Guarantees:
            Equal for equal manifests and different for others; the same in every process
            and on every Python; never changed within evalset/v1. How a text was styled
            does not count.
        """
        return sha256_hex(_DIGEST_PREFIX, self.to_dict())

    def _repr_html_(self) -> str:
        from evalset.pictures import draw_matrix

        return draw_matrix(picture_of(self, range(self.count)), count=self.count)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object, /) -> Any:  # noqa: ANN401
        from evalset.pydantic_fields import field_schema

        return field_schema(Manifest)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: object, handler: object, /) -> dict[str, Any]:
        from evalset.pydantic_fields import field_json_schema

        return field_json_schema()

    def __getstate__(self) -> dict[str, Any]:
        return {
            field.name: getattr(self, field.name) for field in attrs.fields(Manifest) if field.eq
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            object.__setattr__(self, name, value)
        with_source(self, None, at="")


def picture_of(manifest: Manifest, indices: Container[int]) -> Matrix:
    """Give what a picture shows of some combinations of a manifest."""
    from evalset.pictures import Matrix

    return Matrix(
        name=manifest.name,
        packs=manifest.packs,
        agents=[(agent.label or agent.deployment, agent.deployment) for agent in manifest.agents],
        models=manifest.models,
        repeats=manifest.repeats,
        seeds=manifest.seeds.seeds,
        indices=indices,
    )


def with_source(manifest: Manifest, source: Source | None, *, at: str) -> Manifest:
    """Note on a manifest that was just made where it came from."""
    object.__setattr__(manifest, "source", source)
    object.__setattr__(manifest, "at", at)
    return manifest


def place_in(manifest: Manifest, findings: Iterable[Finding]) -> list[Diagnostic]:
    """Give findings their places in what a manifest was read from."""
    from evalset.document import read_document
    from evalset.explaining import place

    document = read_document(manifest.source) if manifest.source else None
    # A text may be too large for the way that knows places.
    has_places = document is not None and document.root is not None
    return place(findings, document if has_places else None, base=parse_pointer(manifest.at))


def build(data: object, *, unknown: Unknown = "error") -> Manifest | None:
    """Build a manifest from plain data, or decline without a word.

    What people write is recognised and built at once; the rest takes cattrs' way.

    Args:
        data: Plain data of dicts and lists whose keys are text.
        unknown: As for `Manifest.from_dict`.
    """
    return _recognise(data) or _structured(data, unknown)


def build_from_data(
    data: object, *, at: str = "", checks: Checks
) -> tuple[Manifest | None, list[Diagnostic]]:
    """Build a manifest from data of any kind.

    Args:
        data: As for `Manifest.from_dict`.
        at: As for `Manifest.from_dict`.
        checks: What to look for in it.

    Returns:
        The manifest, or None, and everything that there is to say of it: without a
        manifest every reason why not, with one only what the checks ask for.
    """
    from evalset.faults import Unreadable
    from evalset.plain import tidy

    base = parse_pointer(at)
    try:
        tidied, faults = tidy(descend(data, at), ReadLimits())
    except LookupError as error:
        from evalset.diagnostics import Diagnostic

        return None, [Diagnostic(code="pointer-not-found", message=str(error.args[0]))]
    except Unreadable as unreadable:
        return None, [unplaced(unreadable.fault, base)]
    manifest = None if faults else build(tidied, unknown=checks.unknown)
    if manifest:
        with_source(manifest, None, at=at)
    if manifest and checks.scanners is None:
        return manifest, []
    from evalset.explaining import explain

    also = [unplaced(fault, base) for fault in faults]
    return manifest, explain(
        tidied, base=base, checks=checks, is_shaped=manifest is not None, also=also
    )


def _recognise(data: object) -> Manifest | None:
    """Build a manifest without unknown keys; decline any other."""
    if not is_mapping(data) or data.get("schema") != SCHEMA or not is_list(data.get("agents")):
        return None
    agents = [recognise(Agent, agent) for agent in data["agents"]]
    seeds = Seeds() if data.get("seeds") is None else recognise(Seeds, data["seeds"])
    limits = Limits() if data.get("limits") is None else recognise(Limits, data["limits"])
    if seeds is None or limits is None or None in agents:
        return None
    parts = {**data, "agents": agents, "seeds": seeds, "limits": limits}
    if isinstance(data.get("$schema"), str):
        del parts["$schema"]
    manifest = assemble(Manifest, parts, _NAMES)
    return manifest if manifest and _is_sound(manifest) else None


def _structured(data: object, unknown: Unknown) -> Manifest | None:
    from evalset.structuring import Mismatch, structure

    if not is_mapping(data) or data.get("schema") != SCHEMA:
        return None
    try:
        if "$schema" in data:
            structure(data["$schema"], str)
            data = {key: value for key, value in data.items() if key != "$schema"}
        return structure(data, Manifest, keep_unknown=unknown == "keep")
    except (Mismatch, ManifestError):
        return None


def _is_sound(manifest: Manifest) -> bool:
    return (
        manifest.schema == SCHEMA
        and is_sound_text(manifest.name)
        and _are_sound_texts(manifest.packs, at_least=1)
        and isinstance(manifest.agents, tuple)
        and len(manifest.agents) > 0
        and _are_sound_texts(manifest.models)
        and type(manifest.repeats) is int
        and manifest.repeats >= 1
        and manifest.count <= MAX_COMBINATIONS
        and len(manifest.seeds.seeds)
        == (manifest.repeats if manifest.seeds.strategy == "explicit" else 0)
        and isinstance(manifest.case_fanout, bool)
        and _are_sound_texts(manifest.scanners)
        and len(manifest.scanners) <= MAX_COMBINATIONS
        and has_own_keys(manifest)
    )


def _are_sound_texts(values: tuple[str, ...], *, at_least: int = 0) -> bool:
    return isinstance(values, tuple) and len(values) >= at_least and all(map(is_sound_text, values))
