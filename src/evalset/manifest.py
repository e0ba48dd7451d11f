"""The manifest and its parts: frozen, of normal values, and never wrong.

A manifest that exists obeys every rule that depends neither on the dialect of the key
nor on a caller's cap, whether it was read or built in code.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar, cast, final

import attrs

from evalset import normal
from evalset.canonical import number, sha256_hex
from evalset.diagnostics import Diagnostic
from evalset.document import Source, descend, parse_pointer
from evalset.errors import ManifestError
from evalset.explaining import Checks, Part, Unknown, explain, explain_part, listed
from evalset.extensions import PREFIX, Extensions
from evalset.nodes import Fault, Path, ReadLimits, Unreadable, to_pointer
from evalset.normal import Strategy
from evalset.plain import tidy
from evalset.rules import KEYS, MAX_COMBINATIONS, MAX_SEED, is_sound_text

__all__ = ["SCHEMA", "Agent", "Limits", "Manifest", "Seeds", "Strategy", "build", "with_source"]

SCHEMA = "evalset/v1"
"""What `schema` says in every manifest of this version."""

_DIGEST_PREFIX = "evalset/v1 manifest"
_NO_EXTENSIONS = Extensions()
_PLAIN_CHECKS = Checks()
_Model = TypeVar("_Model", bound="Agent | Seeds | Limits | Manifest")


def _extensions() -> Any:  # noqa: ANN401 (an attrs field, alike in every model)
    return attrs.field(default=_NO_EXTENSIONS, kw_only=True, converter=normal.extensions)


@final
@attrs.frozen
class Agent:
    """One agent of the sweep.

    Attributes:
        deployment: UUID or exact name of the deployment; trimmed, not blank.
        label: What stands for the agent in the matrix key under the label dialect. None:
            the deployment does.
        extensions: The `x-` keys.

    Raises:
        ManifestError: A text is blank, holds a control character, or is no text.

    Example:
        >>> Agent("claude-opus-default", label=" opus ").label
        'opus'
    """

    deployment: str = attrs.field(converter=normal.text)
    label: str | None = attrs.field(default=None, kw_only=True, converter=normal.optional_text)
    extensions: Extensions = _extensions()

    def __attrs_post_init__(self) -> None:
        _check(self)

    def _is_sound(self) -> bool:
        return (
            is_sound_text(self.deployment)
            and (self.label is None or is_sound_text(self.label))
            and _has_own_keys(self)
        )

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Agent:
        """Build an agent from plain data, strictly.

        Raises:
            ManifestError: The data is not an agent; pointers start at it.
        """
        return _from_dict(cls, data)

    def to_dict(self) -> dict[str, Any]:
        """Give plain data, without what is default."""
        return _to_dict(self)


@final
@attrs.frozen
class Seeds:
    """Where the seeds of the repeats come from.

    Attributes:
        strategy: `auto`, the harness picks them, or `explicit`.
        seeds: With `explicit` one for each repeat, in order: 1 to 2**63 - 1, each once.
        extensions: The `x-` keys.

    Raises:
        ManifestError: Seeds with `auto`, none with `explicit`, or one that is out of
            range, stands twice or is no integer.
    """

    strategy: Strategy = attrs.field(default="auto", converter=normal.strategy)
    seeds: tuple[int, ...] = attrs.field(default=(), kw_only=True, converter=normal.integers)
    extensions: Extensions = _extensions()

    def __attrs_post_init__(self) -> None:
        _check(self)

    def _is_sound(self) -> bool:
        seeds = self.seeds
        if self.strategy == "auto":
            return seeds == () and _has_own_keys(self)
        return (
            self.strategy == "explicit"
            and isinstance(seeds, tuple)
            and 1 <= len(seeds) <= MAX_COMBINATIONS
            and all(type(seed) is int and 1 <= seed <= MAX_SEED for seed in seeds)
            and len(set(seeds)) == len(seeds)
            and _has_own_keys(self)
        )

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Seeds:
        """Build seeds from plain data, strictly.

        Raises:
            ManifestError: The data is not the value of `seeds`; pointers start at it.
        """
        return _from_dict(cls, data)

    def to_dict(self) -> dict[str, Any]:
        """Give plain data, without what is default."""
        return _to_dict(self)


@final
@attrs.frozen(kw_only=True)
class Limits:
    """Soft limits: hints for the host, which this library does not enforce.

    Attributes:
        max_concurrent_runs: Runs at once, 1 to 2**63 - 1; None: not set, as 0 is.
        budget_usd: US dollars for the whole sweep, above 0; None: not set, as 0 is.
        extensions: The `x-` keys.

    Raises:
        ManifestError: A number is negative, not finite, or no number.
    """

    max_concurrent_runs: int | None = attrs.field(default=None, converter=normal.concurrency)
    budget_usd: float | None = attrs.field(default=None, converter=normal.budget)
    extensions: Extensions = _extensions()

    def __attrs_post_init__(self) -> None:
        _check(self)

    def _is_sound(self) -> bool:
        runs, budget = self.max_concurrent_runs, self.budget_usd
        return (
            (runs is None or (type(runs) is int and 1 <= runs <= MAX_SEED))
            and (budget is None or (type(budget) is float and 0 <= budget < math.inf))
            and _has_own_keys(self)
        )

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Limits:
        """Build limits from plain data, strictly.

        Raises:
            ManifestError: The data is not the value of `limits`; pointers start at it.
        """
        return _from_dict(cls, data)

    def to_dict(self) -> dict[str, Any]:
        """Give plain data, without what is default."""
        return _to_dict(self)


def _agents(values: Sequence[Agent]) -> tuple[Agent, ...]:
    if not isinstance(values, (list, tuple)):
        return cast("tuple[Agent, ...]", values)
    return tuple([_demand(value, Agent, "an item of agents") for value in values])


def _seeds(value: Seeds | None) -> Seeds:
    return Seeds() if value is None else _demand(value, Seeds, "seeds")


def _limits(value: Limits | None) -> Limits:
    return Limits() if value is None else _demand(value, Limits, "limits")


def _demand(value: object, model: type[_Model], name: str) -> _Model:
    if not isinstance(value, model):
        msg = (
            f"{name} is of the type {model.__name__}, not {type(value).__name__}; "
            f"{model.__name__}.from_dict takes plain data"
        )
        raise TypeError(msg)
    return value


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

    Guarantees:
        Immutable, hashable, picklable; equal exactly when the digests are equal. packs x
        agents x max(models, 1) x repeats is at most 2000.

    Raises:
        ManifestError: A rule is broken; every finding is in it, without places.
        TypeError: A part is no Agent, Seeds or Limits.

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
    schema: str = attrs.field(default=SCHEMA, kw_only=True)
    extensions: Extensions = _extensions()
    source: Source | None = attrs.field(default=None, init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        _check(self)

    def _is_sound(self) -> bool:
        return (
            self.schema == SCHEMA
            and is_sound_text(self.name)
            and _are_sound_texts(self.packs, at_least=1)
            and isinstance(self.agents, tuple)
            and len(self.agents) > 0
            and _are_sound_texts(self.models)
            and type(self.repeats) is int
            and self.repeats >= 1
            and self.count <= MAX_COMBINATIONS
            and len(self.seeds.seeds) == (self.repeats if self.seeds.strategy == "explicit" else 0)
            and isinstance(self.case_fanout, bool)
            and _are_sound_texts(self.scanners)
            and len(self.scanners) <= MAX_COMBINATIONS
            and _has_own_keys(self)
        )

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
            ValueError: `at` is no JSON Pointer.
        """
        manifest, diagnostics = build_from_data(data, at=at, checks=Checks(unknown=unknown))
        if manifest is None:
            raise ManifestError(diagnostics)
        return manifest

    def to_dict(self) -> dict[str, Any]:
        """Give plain data in the order of the specification, without what is default.

        Returns:
            New dicts and lists that `from_dict` reads back to an equal manifest.
        """
        return {"schema": self.schema, **_to_dict(self)}

    def replace(self, **changes: Any) -> Manifest:  # noqa: ANN401 (as the constructor's)
        """Give a manifest with some fields changed, checked as a whole.

        Raises:
            ManifestError: A rule is broken.
            TypeError: There is no such field.
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

    def __getstate__(self) -> dict[str, Any]:
        return {
            field.name: getattr(self, field.name)
            for field in attrs.fields(Manifest)
            if field.name != "source"
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            object.__setattr__(self, name, value)
        object.__setattr__(self, "source", None)


def with_source(manifest: Manifest, source: Source) -> Manifest:
    """Note on a manifest that was just read where it came from."""
    object.__setattr__(manifest, "source", source)
    return manifest


def build(data: Any, *, unknown: Unknown = "error") -> Manifest | None:  # noqa: ANN401
    """Build a manifest from plain data, or decline without a word.

    What people write is recognised and built at once; the rest takes cattrs' way.

    Args:
        data: Plain data of dicts and lists whose keys are text.
        unknown: As for `Manifest.from_dict`.
    """
    return _recognise(data) or _structured(data, unknown)


def build_from_data(
    data: object, *, at: str = "", checks: Checks = _PLAIN_CHECKS
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
    base = parse_pointer(at)
    try:
        tidied, faults = tidy(descend(data, at), ReadLimits())
    except LookupError as error:
        return None, [Diagnostic(code="pointer-not-found", message=str(error.args[0]))]
    except Unreadable as unreadable:
        return None, [_unplaced(unreadable.fault, base)]
    manifest = None if faults else build(tidied, unknown=checks.unknown)
    if manifest and checks == _PLAIN_CHECKS:
        return manifest, []
    told = explain(tidied, base=base, checks=checks, is_shaped=manifest is not None)
    return manifest, listed([*(_unplaced(fault, base) for fault in faults), *told])


def _check(model: _Model) -> None:
    """Hold a model to its rules; called by each when it is built."""
    if isinstance(model.extensions, Mapping):
        for field in attrs.fields(type(model)):
            if field.name in model.extensions:
                msg = f"extensions hold {field.name!r}, which is a field"
                raise ValueError(msg)
    if not model._is_sound():  # noqa: SLF001 (a model of this module)
        raise ManifestError(_explain(model))


def _explain(model: _Model) -> list[Diagnostic]:
    plain = _plain(model)
    if isinstance(model, Manifest):
        kept = isinstance(model.extensions, Extensions) and model.extensions.is_kept
        return explain(plain, checks=Checks(unknown="keep" if kept else "error"))
    return explain_part(_PARTS[type(model)], plain)


_PARTS: dict[type, Part] = {Agent: "agent", Seeds: "seeds", Limits: "limits"}


def _plain(model: Any) -> dict[str, Any]:  # noqa: ANN401
    """Give what a model was built from as plain data, right or wrong."""
    values = {
        field.name: _plain_value(getattr(model, field.name))
        for field in attrs.fields(type(model))
        if field.name not in {"extensions", "source"}
    }
    extensions = _plain_value(model.extensions)
    if isinstance(extensions, Mapping):
        values.update(extensions)
    return {name: value for name, value in values.items() if value is not None}


def _to_dict(model: Any) -> dict[str, Any]:  # noqa: ANN401
    """Give the fields of a sound model that are not default, then its extensions."""
    values = {
        field.name: _plain_value(getattr(model, field.name))
        for field in attrs.fields(type(model))
        if field.name not in {"extensions", "source"}
        and getattr(model, field.name) != _default(field)
    }
    return {**values, **model.extensions.to_dict()}


def _default(field: Any) -> Any:  # noqa: ANN401 (attrs.Attribute)
    return field.default.factory() if isinstance(field.default, attrs.Factory) else field.default  # type: ignore[arg-type]


def _plain_value(value: Any) -> Any:  # noqa: ANN401
    if isinstance(value, (Agent, Seeds, Limits)):
        return _to_dict(value)
    if isinstance(value, Extensions):
        return value.to_dict()
    if isinstance(value, tuple):
        return [_plain_value(item) for item in value]
    return number(value) if isinstance(value, float) else value


def _are_sound_texts(values: object, *, at_least: int = 0) -> bool:
    return isinstance(values, tuple) and len(values) >= at_least and all(map(is_sound_text, values))


def _has_own_keys(model: _Model) -> bool:
    """Tell whether extensions are frozen, and named so that no field can ever clash."""
    extensions = model.extensions
    return isinstance(extensions, Extensions) and (
        extensions.is_kept or all(key.startswith(PREFIX) for key in extensions)
    )


def _from_dict(model: type[_Model], data: object) -> _Model:
    from evalset.structuring import Mismatch, structure  # noqa: PLC0415 (cattrs: 60 ms)

    try:
        tidied, faults = tidy(data, ReadLimits())
    except Unreadable as unreadable:
        raise ManifestError([_unplaced(unreadable.fault)]) from None
    diagnostics = [_unplaced(fault) for fault in faults]
    try:
        if not faults:
            return structure(tidied, model)
    except (Mismatch, ManifestError):
        pass
    raise ManifestError(diagnostics + explain_part(_PARTS[model], tidied))


def _unplaced(fault: Fault, base: Path = ()) -> Diagnostic:
    pointer = to_pointer((*base, *fault.path))
    return Diagnostic(code=fault.code, message=fault.message, pointer=pointer, hint=fault.hint)


def _structured(data: Any, unknown: Unknown) -> Manifest | None:  # noqa: ANN401
    from evalset.structuring import Mismatch, structure  # noqa: PLC0415 (cattrs: 60 ms)

    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        return None
    if isinstance(data.get("$schema"), str):
        data = {key: value for key, value in data.items() if key != "$schema"}
    try:
        return structure(data, Manifest, keep_unknown=unknown == "keep")
    except (Mismatch, ManifestError):
        return None


def _recognise(data: Any) -> Manifest | None:  # noqa: ANN401
    """Build a manifest without unknown or extension keys; decline any other."""
    if type(data) is not dict or data.get("schema") != SCHEMA:
        return None
    agents, seeds, limits = data.get("agents"), data.get("seeds"), data.get("limits")
    if type(agents) is not list:
        return None
    parts = {
        "agents": [_assemble(Agent, agent) for agent in agents],
        "seeds": Seeds() if seeds is None else _assemble(Seeds, seeds),
        "limits": Limits() if limits is None else _assemble(Limits, limits),
    }
    if None in parts.values() or None in parts["agents"]:
        return None
    return _assemble(Manifest, data | parts)


def _assemble(model: type[_Model], data: object) -> _Model | None:
    """Build one model from plain data without explaining what is wrong with it."""
    if type(data) is not dict or not _NAMES[model].issuperset(data):
        return None
    assembled = object.__new__(model)
    for field in attrs.fields(model):
        value = data.get(field.name)
        if value is None:
            value = field.default
        elif field.converter:
            value = field.converter(value)
        object.__setattr__(assembled, field.name, value)
    return assembled if assembled._is_sound() else None  # noqa: SLF001


_NAMES: dict[type, frozenset[str]] = {
    Manifest: frozenset(KEYS[""]),
    Agent: frozenset(KEYS["agents"]),
    Seeds: frozenset(KEYS["seeds"]),
    Limits: frozenset(KEYS["limits"]),
}
