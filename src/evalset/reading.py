"""Read, check and write manifests: the whole pipeline from a text to a `Manifest`.

*Fast yes, slow why*: a good text takes the shortest way to its models. Only when that
declines is it read again with places, and every fault explained.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from typing import IO, TYPE_CHECKING, Any, TypeAlias, final

import attrs

from evalset.checks import Checks, Unknown
from evalset.errors import ManifestError
from evalset.keys import KeyBy
from evalset.manifest import Manifest, build, build_from_data, with_source
from evalset.nodes import ReadLimits
from evalset.rules import BUILT_IN_SCANNERS, MAX_COMBINATIONS
from evalset.shapes import demand
from evalset.sources import Format, Source, decode, mark_of, quick_data

if TYPE_CHECKING:
    from evalset.diagnostics import Diagnostic
    from evalset.document import Document
    from evalset.faults import Fault

__all__ = ["CheckResult", "check", "check_data", "check_text", "dump", "dumps", "load", "loads"]

_PathOrFile: TypeAlias = "str | os.PathLike[str] | IO[str] | IO[bytes]"

_LIMITS = ReadLimits()


@final
@attrs.frozen(kw_only=True)
class CheckResult:
    """What there is to say of a manifest.

    Attributes:
        manifest: The manifest, or None if it can't be loaded. Where only its keys collide
            or a caller's cap is exceeded there is one, although `ok` is false.
        diagnostics: Errors and warnings in order of place.
        source: The text that the spans are places in; None where there was only data. It
            is outside of equality and `repr`.
        is_unread: Whether the text could not be read to its end, so that what stands behind
            the fault, and what depends on it, was not looked at.
    """

    manifest: Manifest | None
    diagnostics: tuple[Diagnostic, ...]
    source: Source | None = attrs.field(default=None, eq=False, repr=False)
    is_unread: bool = attrs.field(default=False, repr=False)

    @property
    def ok(self) -> bool:
        """Whether there is no error: exactly then load and expand succeed.

        To both, a warning that the caller raised is none.
        """
        return not any(diagnostic.is_error for diagnostic in self.diagnostics)

    def _repr_html_(self) -> str:
        from evalset.pictures import draw_findings

        return draw_findings(self.diagnostics)


def load(
    source: _PathOrFile,
    *,
    format: Format | None = None,
    at: str = "",
    unknown: Unknown = "error",
    limits: ReadLimits = _LIMITS,
) -> Manifest:
    """Read a manifest from a file.

    Args:
        source: A path, or an open text or binary file, which is read to its end and left
            open.
        format: `json` or `yaml`; None: by the file's suffix, else by the text.
        at: JSON Pointer of the manifest inside the document.
        unknown: `error` refuses keys that the format does not have; `keep` puts them into
            `extensions`, to read back what a newer writer stored.
        limits: What to read at most.

    Raises:
        ManifestError: The text is no manifest; every finding, with its place, is in it.
        OSError: The file can't be read.
        TypeError: `source` is neither a path nor an open file, `at` no str, or `limits` no
            ReadLimits.
        ValueError: `format` or `unknown` is not one of the above, or `at` no JSON Pointer.
    """
    name, data = _read_file(source, limits)
    return loads(
        data, format=format or _format_of(name), name=name, at=at, unknown=unknown, limits=limits
    )


def loads(
    text: str | bytes,
    *,
    format: Format | None = None,
    name: str = "<text>",
    at: str = "",
    unknown: Unknown = "error",
    limits: ReadLimits = _LIMITS,
) -> Manifest:
    """Read a manifest from a text.

    Args:
        text: YAML 1.2 or JSON; bytes are UTF-8. A byte order mark is fine.
        format: `json` or `yaml`; None: a text that starts with `{` is tried as JSON,
            then as YAML, any other is YAML.
        name: What diagnostics call the text.
        at: As for `load`.
        unknown: As for `load`.
        limits: As for `load`.

    Guarantees:
        The same text gives an equal manifest, or equal diagnostics, in every process and
        on every Python.

    Raises:
        ManifestError: As for `load`.
        TypeError: `text` is neither str nor bytes; or as for `load`.
        ValueError: As for `load`.

    Example:
        >>> text = "{schema: evalset/v1, name: n, packs: [p], agents: [{deployment: a}]}"
        >>> loads(text).packs
        ('p',)
    """
    checks = Checks(unknown=unknown)
    source, fault = _source(text, format=format, name=name, at=at, limits=limits)
    manifest = None if fault else _read_quickly(source, checks)
    if manifest is None:
        manifest, diagnostics, _ = _read_thoroughly(source, fault, checks)
        if manifest is None:
            raise ManifestError(diagnostics)
    return with_source(manifest, source, at=at)


def check(
    source: _PathOrFile,
    *,
    format: Format | None = None,
    at: str = "",
    unknown: Unknown = "error",
    limits: ReadLimits = _LIMITS,
    key_by: KeyBy = "label",
    max_combinations: int = MAX_COMBINATIONS,
    scanners: Sequence[str] = BUILT_IN_SCANNERS,
    pinned: bool = False,
    ignore: Collection[str] = (),
    error: Collection[str] = (),
) -> CheckResult:
    """Say everything that there is to say of a file; see `check_text`.

    Raises:
        OSError: The file can't be read.
        TypeError: As for `load` and `check_text`.
        ValueError: As for `check_text`.
    """
    name, data = _read_file(source, limits)
    return check_text(
        data,
        format=format or _format_of(name),
        name=name,
        at=at,
        unknown=unknown,
        limits=limits,
        key_by=key_by,
        max_combinations=max_combinations,
        scanners=scanners,
        pinned=pinned,
        ignore=ignore,
        error=error,
    )


def check_text(
    text: str | bytes,
    *,
    format: Format | None = None,
    name: str = "<text>",
    at: str = "",
    unknown: Unknown = "error",
    limits: ReadLimits = _LIMITS,
    key_by: KeyBy = "label",
    max_combinations: int = MAX_COMBINATIONS,
    scanners: Sequence[str] = BUILT_IN_SCANNERS,
    pinned: bool = False,
    ignore: Collection[str] = (),
    error: Collection[str] = (),
) -> CheckResult:
    """Say everything that there is to say of a text: all that is refused, and warnings.

    Args:
        text: As for `loads`, and so are `format`, `name`, `at`, `unknown` and `limits`.
        format: See there.
        name: See there.
        at: See there.
        unknown: See there.
        limits: See there.
        key_by: As for `expand`.
        max_combinations: As for `expand`.
        scanners: The scanners that the host knows; others earn a warning.
        pinned: Whether references that are no UUIDs earn a warning, too: a name may mean
            another pack or deployment tomorrow.
        ignore: Codes of warnings that are left out. In a text in YAML a comment does the
            same for its line, `# evalset: ignore[code]`, or `# evalset: ignore-file[code]`
            for the whole of it.
        error: Codes of warnings that are errors here, so that `ok` is false; what is
            ignored stays ignored.

    Returns:
        The result; no content makes this raise.

    Raises:
        TypeError: As for `loads`; or `scanners`, `ignore` or `error` is one text.
        ValueError: `format`, `unknown`, `at`, `key_by` or `max_combinations` is not what `loads`
            or `expand` takes; `ignore` or `error` holds what is no code, or `ignore` the code
            of an error.
    """
    checks = Checks(
        unknown=unknown,
        key_by=key_by,
        max_combinations=max_combinations,
        scanners=scanners,
        pinned=pinned,
        ignore=ignore,
        error=error,
    )
    source, fault = _source(text, format=format, name=name, at=at, limits=limits)
    manifest = None if fault else _read_quickly(source, checks)
    diagnostics: list[Diagnostic] = []
    is_read = True
    if manifest is None:
        manifest, diagnostics, is_read = _read_thoroughly(source, fault, checks)
    if manifest:
        with_source(manifest, source, at=at)
    return CheckResult(
        manifest=manifest, diagnostics=tuple(diagnostics), source=source, is_unread=not is_read
    )


def check_data(
    data: Mapping[str, Any],
    *,
    at: str = "",
    unknown: Unknown = "error",
    key_by: KeyBy = "label",
    max_combinations: int = MAX_COMBINATIONS,
    scanners: Sequence[str] = BUILT_IN_SCANNERS,
    pinned: bool = False,
    ignore: Collection[str] = (),
    error: Collection[str] = (),
) -> CheckResult:
    """Say everything that there is to say of plain data; see `check_text`.

    Returns:
        The result; its diagnostics have pointers and no spans.

    Raises:
        TypeError: `at` is no str, or `scanners` is one text.
        ValueError: As for `check_text`.
    """
    checks = Checks(
        unknown=unknown,
        key_by=key_by,
        max_combinations=max_combinations,
        scanners=scanners,
        pinned=pinned,
        ignore=ignore,
        error=error,
    )
    manifest, diagnostics = build_from_data(data, at=at, checks=checks)
    return CheckResult(manifest=manifest, diagnostics=tuple(diagnostics))


def dump(manifest: Manifest, target: _PathOrFile, *, format: Format | None = None) -> None:
    """Write a manifest to a file.

    Args:
        manifest: The manifest.
        target: A path, or an open text or binary file.
        format: `json` or `yaml`; None: JSON if the path ends in `.json`, else YAML.

    Raises:
        OSError: The file can't be written.
        TypeError: `manifest` is no Manifest, or `target` neither a path nor an open file.
        ValueError: `format` is neither.
    """
    text = dumps(manifest, format=format or _format_of(_name_of(target)) or "yaml")
    if isinstance(target, (str, os.PathLike)):
        with open(target, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
    elif hasattr(target, "write"):
        _write(target, text)
    else:
        raise TypeError(f"a path or an open file is wanted, not {type(target).__name__}")


def dumps(manifest: Manifest, *, format: Format = "yaml") -> str:
    """Write a manifest as text that `loads` reads back to an equal one.

    A manifest that holds keys kept by `unknown="keep"` is read back with the same option.

    Args:
        manifest: The manifest.
        format: `yaml`: block style, keys in the specification's order, quotes only where
            some reader of YAML 1.1 or 1.2 would take the text for something else.
            `json`: indented by two, such that YAML readers take it too.

    Raises:
        TypeError: `manifest` is no Manifest.
        ValueError: `format` is neither.
    """
    data = demand(manifest, Manifest, "manifest").to_dict()
    if format == "json":
        from evalset.json_text import write_json

        return write_json(data)
    if format != "yaml":
        raise ValueError(f"format is {format!r}; it is 'yaml' or 'json'")
    from evalset.yaml_text import write_yaml

    return write_yaml(data)


def _source(
    text: str | bytes, *, format: Format | None, name: str, at: str, limits: ReadLimits
) -> tuple[Source, Fault | None]:
    decoded, fault = decode(text, demand(limits, ReadLimits, "limits"))
    mark = mark_of(text)
    return Source(name=name, text=decoded, format=format, at=at, limits=limits, mark=mark), fault


def _read_quickly(source: Source, checks: Checks) -> Manifest | None:
    """Read a manifest of which there is nothing to say, or decline."""
    try:
        data = quick_data(source)
    except ValueError:
        return None
    manifest = build(data, unknown=checks.unknown)
    if manifest and checks.scanners is not None and checks.may_find(data, source.text):
        return None
    return manifest


def _read_thoroughly(
    source: Source, fault: Fault | None, checks: Checks
) -> tuple[Manifest | None, list[Diagnostic], bool]:
    """Give the manifest, what there is to say, and whether the text was read to its end."""
    from evalset.document import read_document
    from evalset.explaining import explain_unread
    from evalset.tree import to_plain

    document = read_document(source, fault)
    if document.root is not None:
        return *_judge(to_plain(document.root), document, checks), True
    if not fault and document.faults[-1].code in {"too-large", "too-many-nodes"}:
        try:  # too much for the way that knows places; the short one takes more
            return *_judge(quick_data(source), None, checks), True
        except ValueError:
            pass
    is_read = document.faults[-1].code in {"empty-document", "pointer-not-found"}
    return None, explain_unread(document, checks=checks), is_read


def _judge(
    data: object, document: Document | None, checks: Checks
) -> tuple[Manifest | None, list[Diagnostic]]:
    has_faults = document is not None and len(document.faults) > 0
    manifest = None if has_faults else build(data, unknown=checks.unknown)
    if manifest and checks.scanners is None:
        return manifest, []
    from evalset.explaining import explain

    is_shaped = manifest is not None
    return manifest, explain(data, document, checks=checks, is_shaped=is_shaped)


def _read_file(source: _PathOrFile, limits: ReadLimits) -> tuple[str, str | bytes]:
    """Read no more than shows that a file is too large."""
    demand(limits, ReadLimits, "limits")
    name = _name_of(source)
    if isinstance(source, (str, os.PathLike)):
        with open(source, "rb") as file:
            return name, _read_all(file, limits.size + 4)
    if not hasattr(source, "read"):
        raise TypeError(f"a path or an open file is wanted, not {type(source).__name__}")
    return name, _read_all(source, limits.size + 4)


def _read_all(file: IO[Any], most: int) -> str | bytes:
    """Read to the end or the limit: one call of a pipe's `read` may give less than there is."""
    read: list[Any] = []
    while most > 0:
        try:
            part = file.read(most)
        except UnicodeDecodeError as error:
            return bytes(error.object[: error.start + 1])  # ends in what is no UTF-8 either
        if not part:
            break
        read.append(part)
        most -= len(part)
    return read[0][:0].join(read) if read else ""


def _name_of(source: _PathOrFile) -> str:
    if isinstance(source, (str, os.PathLike)):
        return os.fspath(source)
    name = getattr(source, "name", None)
    return name if isinstance(name, str) else "<file>"


def _format_of(name: str) -> Format | None:
    suffix = os.path.splitext(name)[1].lower()
    return "json" if suffix == ".json" else None


def _write(file: Any, text: str) -> None:  # noqa: ANN401 (text or binary)
    try:
        file.write(text)
    except TypeError:
        file.write(text.encode())
