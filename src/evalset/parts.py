"""The parts of a manifest that have a model of their own: agents, seeds, limits.

Each is frozen, holds normal values, and refuses to exist against a rule; it is built
through its constructor, from plain data by `from_dict`, or, of a manifest, by `recognise`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, final

import attrs

from evalset import normal
from evalset.canonical import number
from evalset.errors import ManifestError
from evalset.extensions import PREFIX, Extensions
from evalset.nodes import Path, ReadLimits, to_pointer
from evalset.normal import Strategy
from evalset.rules import KEYS, MAX_COMBINATIONS, MAX_SEED, is_sound_text
from evalset.shapes import is_mapping, is_sequence

if TYPE_CHECKING:
    from evalset.checks import Checks
    from evalset.diagnostics import Diagnostic
    from evalset.explaining import Part
    from evalset.faults import Fault

__all__ = [
    "NO_EXTENSIONS",
    "Agent",
    "Limits",
    "Seeds",
    "assemble",
    "check_names",
    "checks_of",
    "has_own_keys",
    "plain",
    "recognise",
    "to_dict",
    "unplaced",
]

NO_EXTENSIONS = Extensions()
"""What a model without extensions holds."""
_Model = TypeVar("_Model")
_ToPlain: TypeAlias = Callable[[Any], dict[str, Any]]


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
    extensions: Extensions = attrs.field(
        default=NO_EXTENSIONS, kw_only=True, converter=normal.extensions
    )

    def __attrs_post_init__(self) -> None:
        _check(self, "agent", is_sound=_is_sound_agent(self))

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Agent:
        """Build an agent from plain data, strictly.

        Raises:
            ManifestError: The data is not an agent; pointers start at it.
        """
        return _from_dict(cls, data, "agent")

    def to_dict(self) -> dict[str, Any]:
        """Give plain data, without what is default."""
        return to_dict(self)


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
    extensions: Extensions = attrs.field(
        default=NO_EXTENSIONS, kw_only=True, converter=normal.extensions
    )

    def __attrs_post_init__(self) -> None:
        _check(self, "seeds", is_sound=_is_sound_seeds(self))

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Seeds:
        """Build seeds from plain data, strictly.

        Raises:
            ManifestError: The data is not the value of `seeds`; pointers start at it.
        """
        return _from_dict(cls, data, "seeds")

    def to_dict(self) -> dict[str, Any]:
        """Give plain data, without what is default."""
        return to_dict(self)


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
    extensions: Extensions = attrs.field(
        default=NO_EXTENSIONS, kw_only=True, converter=normal.extensions
    )

    def __attrs_post_init__(self) -> None:
        _check(self, "limits", is_sound=_is_sound_limits(self))

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Limits:
        """Build limits from plain data, strictly.

        Raises:
            ManifestError: The data is not the value of `limits`; pointers start at it.
        """
        return _from_dict(cls, data, "limits")

    def to_dict(self) -> dict[str, Any]:
        """Give plain data, without what is default."""
        return to_dict(self)


def recognise(model: type[_Model], data: object) -> _Model | None:
    """Build a part from plain data, or decline without a word."""
    part = assemble(model, data, _NAMES[model])
    return part if part is not None and _SOUND[model](part) else None


def assemble(model: type[_Model], data: object, names: frozenset[str]) -> _Model | None:
    """Build a model of normal values from plain data, unchecked; other keys extend it."""
    if not is_mapping(data):
        return None
    extensions = NO_EXTENSIONS
    if not names.issuperset(data):
        rest = {name: value for name, value in data.items() if name not in names}
        if not all(name.startswith(PREFIX) for name in rest):
            return None
        extensions = normal.extensions(rest)
        data = {name: value for name, value in data.items() if name in names}
    assembled = object.__new__(model)
    for name, default, converter, write in _table(model):  # type: ignore[arg-type] # mypy: no class is hashable
        value = data.get(name)
        write(assembled, default if value is None else converter(value))
    object.__setattr__(assembled, "extensions", extensions)
    return assembled


def check_names(model: Any) -> None:  # noqa: ANN401
    """Refuse extensions that are named as a key of the format is.

    Raises:
        ValueError: One is.
    """
    names = _defaults(model.__class__)
    for name in ("$schema", *names) if "packs" in names else names:
        if is_mapping(model.extensions) and name in model.extensions:
            raise ValueError(f"extensions hold {name!r}, which is a field")


def has_own_keys(model: Any) -> bool:  # noqa: ANN401
    """Tell whether a model's extensions are frozen, and named as extensions are."""
    extensions = model.extensions
    return extensions is NO_EXTENSIONS or (
        isinstance(extensions, Extensions)
        and (extensions.is_kept or all(key.startswith(PREFIX) for key in extensions))
    )


def plain(model: Any) -> dict[str, Any]:  # noqa: ANN401
    """Give what a model was built from as plain data, right or wrong.

    Its parts are sound already, whatever their extensions hold, so those are left out.
    """
    values = _values(model, _values)
    extensions = model.extensions
    extensions = extensions.to_dict() if isinstance(extensions, Extensions) else extensions
    values.update(extensions if is_mapping(extensions) else {})
    return values


def to_dict(model: Any) -> dict[str, Any]:  # noqa: ANN401
    """Give the fields of a sound model that are not default, then its extensions."""
    defaults = _defaults(model.__class__)
    values = {name: value for name, value in _values(model).items() if value != defaults[name]}
    return {**values, **model.extensions.to_dict()}


def checks_of(model: Any) -> Checks:  # noqa: ANN401
    """Give what a model is held to when it is explained: whether unknown keys were kept."""
    from evalset.checks import Checks

    extensions = model.extensions
    is_kept = isinstance(extensions, Extensions) and extensions.is_kept
    return Checks(unknown="keep" if is_kept else "error")


def unplaced(fault: Fault, base: Path = ()) -> Diagnostic:
    """Make a diagnostic of what was found in data without a text."""
    from evalset.diagnostics import Diagnostic

    pointer = to_pointer((*base, *fault.path))
    return Diagnostic(code=fault.code, message=fault.message, pointer=pointer, hint=fault.hint)


def _values(model: Any, part: _ToPlain = to_dict) -> dict[str, Any]:  # noqa: ANN401
    names = _defaults(model.__class__)
    return {name: _plain_value(getattr(model, name), part) for name in names}


def _fields(model: Any) -> tuple[Any, ...]:  # noqa: ANN401
    fields: tuple[Any, ...] = attrs.fields(model)
    return fields


@cache
def _table(model: Hashable) -> tuple[tuple[str, Any, Any, Any], ...]:
    """Give the name, default and converter of each field, and what writes into its slot.

    The extensions are not among them: they are written under no name of their own.
    """
    return tuple(
        (field.name, field.default, field.converter, getattr(model, field.name).__set__)
        for field in _fields(model)
        if field.name != "extensions"
    )


@cache
def _defaults(model: Hashable) -> dict[str, Any]:
    """Give the plain default of each field that a manifest's text has a key for."""
    return {
        field.name: _plain_value(getattr(field.default, "factory", lambda f=field: f.default)())
        for field in _fields(model)
        if field.init and field.name != "extensions"
    }


def _plain_value(value: Any, part: _ToPlain = to_dict) -> Any:  # noqa: ANN401
    if isinstance(value, (Agent, Seeds, Limits)):
        return part(value)
    if is_sequence(value):
        return [_plain_value(item, part) for item in value]
    # What is to be explained stays as it was given: 0.0 is no boolean, and no 0 either.
    return number(value) if isinstance(value, float) and part is to_dict else value


def _check(model: Any, part: Part, *, is_sound: bool) -> None:  # noqa: ANN401
    check_names(model)
    if not is_sound:
        from evalset.explaining import explain_part

        raise ManifestError(explain_part(part, plain(model), checks=checks_of(model)))


def _from_dict(model: type[_Model], data: object, part: Part) -> _Model:
    from evalset.explaining import explain_part
    from evalset.faults import Unreadable
    from evalset.plain import tidy
    from evalset.structuring import Mismatch, structure  # cattrs: 60 ms

    try:
        tidied, faults = tidy(data, ReadLimits())
    except Unreadable as unreadable:
        raise ManifestError([unplaced(unreadable.fault)]) from None
    if not faults:
        try:
            return structure(tidied, model)
        except (Mismatch, ManifestError):
            pass
    raise ManifestError([*map(unplaced, faults), *explain_part(part, tidied)])


def _is_sound_agent(agent: Agent) -> bool:
    return (
        is_sound_text(agent.deployment)
        and (agent.label is None or is_sound_text(agent.label))
        and has_own_keys(agent)
    )


def _is_sound_seeds(seeds: Seeds) -> bool:
    each = seeds.seeds
    if seeds.strategy == "auto":
        return each == () and has_own_keys(seeds)
    return (
        seeds.strategy == "explicit"
        and isinstance(each, tuple)
        and 1 <= len(each) <= MAX_COMBINATIONS
        and all(type(seed) is int and 1 <= seed <= MAX_SEED for seed in each)
        and len(set(each)) == len(each)
        and has_own_keys(seeds)
    )


def _is_sound_limits(limits: Limits) -> bool:
    runs, budget = limits.max_concurrent_runs, limits.budget_usd
    return (
        (runs is None or (type(runs) is int and 1 <= runs <= MAX_SEED))
        and (budget is None or (type(budget) is float and 0 <= budget < math.inf))
        and has_own_keys(limits)
    )


_SOUND: dict[type, Callable[[Any], bool]] = {
    Agent: _is_sound_agent,
    Seeds: _is_sound_seeds,
    Limits: _is_sound_limits,
}
_NAMES: dict[type, frozenset[str]] = {
    Agent: frozenset(KEYS["agents"]),
    Seeds: frozenset(KEYS["seeds"]),
    Limits: frozenset(KEYS["limits"]),
}
