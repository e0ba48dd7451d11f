"""Pinning: ids into the text of a manifest, and not another byte changed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, cast

import attrs

from evalset.document import read_document
from evalset.errors import ManifestError
from evalset.explaining import place
from evalset.manifest import Manifest
from evalset.nodes import Path
from evalset.quoting import escape
from evalset.reading import loads
from evalset.resolution import Resolution, Resolved, put_ids
from evalset.rules import Finding
from evalset.scalars import changes_in_yaml11, resolve
from evalset.shapes import demand
from evalset.sources import Source
from evalset.tree import Entry, ListNode, MappingNode, Node, ScalarNode

__all__ = ["pin"]

# What every reader of YAML takes for text without quotes, between brackets, too.
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./-]*(?: [A-Za-z0-9_./-]+)*")
_LINE_END = re.compile(r"\r\n|\n|\r")
# An anchor that nothing refers to, a tag; they may stay.
_PROPERTIES = re.compile(r"(?:[&!]\S*\s+(?:#[^\r\n]*\s+)*)*")
_LOOK_BACK = 200  # characters between the dash of a list item and its value, at most
# Line breaks to readers of YAML 1.1, and the byte order mark.
_ESCAPED = {0x2028: "\\u2028", 0x2029: "\\u2029", 0xFEFF: "\\ufeff"}
_HINT = "write the reference there by itself, or pin by hand"


class _Edit(NamedTuple):
    start: int
    end: int
    text: str


def pin(text: str, resolution: Resolution) -> str:
    """Put ids where names stand in the text of a manifest, so that it always means the same.

    A name may stand for another pack or deployment tomorrow: prefer ids in CI, and names
    while trying things out.

    Args:
        text: The text that was resolved, in YAML or JSON.
        resolution: What came of resolving it. What is pending stays a name.

    Returns:
        The text with every resolved name replaced. An agent's name becomes its label, if it
        has none, so its part of the matrix key stays. A pack's name becomes a comment
        behind its id, where the list is in block style; its part of the key is the id now.

    Guarantees:
        Nothing else changes, to the byte. The result reads as the manifest with ids, which
        is checked. A text without names stays as it is.

    Raises:
        ManifestError: A name comes from an alias or a merge, or is there for one, so that
            more than this reference would change; or the text is no manifest.
        ValueError: The text is not the one that was resolved.
        TypeError: `text` is no str, or `resolution` no Resolution.
    """
    source = _source(text, demand(resolution, Resolution, "resolution"))
    manifest = _read(source)
    packs, agents = resolution.packs, resolution.agents
    refs = [each.ref for each in (*packs, *agents)]
    if refs != [*manifest.packs, *(agent.deployment for agent in manifest.agents)]:
        raise ValueError("the text has other references than those that were resolved")
    mark = text[: len(text) - len(source.text)]
    edits = list(_edits(source, packs, agents))
    pinned = _source(_applied(source.text, edits), resolution)
    if edits and not _reads_as(pinned, put_ids(manifest, packs, agents)):
        finding = _refusal((), "an edit would break the way in which this text is written")
        raise ManifestError(place([finding], read_document(source)))
    return mark + pinned.text


def _source(text: str, resolution: Resolution) -> Source:
    if not isinstance(text, str):
        raise TypeError(f"a text is str, not {type(text).__name__}")
    known = resolution.manifest.source or Source(name="<text>", text="")
    return attrs.evolve(known, text=text.removeprefix("\ufeff"))


def _read(source: Source) -> Manifest:
    return loads(
        source.text,
        format=source.format,
        name=source.name,
        at=source.at,
        unknown="keep",
        limits=source.limits,
    )


def _reads_as(source: Source, manifest: Manifest) -> bool:
    try:
        return _read(source) == manifest
    except ManifestError:
        return False


def _applied(text: str, edits: Sequence[_Edit]) -> str:
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def _edits(source: Source, packs: Sequence[Resolved], agents: Sequence[Resolved]) -> list[_Edit]:
    """Give every change of the text.

    Raises:
        ManifestError: Some can't be made; each is told.
    """
    document = read_document(source)
    if document.root is None:  # too large for the way that knows places
        raise ManifestError(document.diagnostics())
    text = _Text(source, document.base)
    edits: list[_Edit] = []
    refusals: list[Finding] = []
    changes = [
        *((("packs", index), pack, text.pin_pack) for index, pack in enumerate(packs)),
        *(
            (("agents", index, "deployment"), agent, text.pin_agent)
            for index, agent in enumerate(agents)
        ),
    ]
    for path, resolved, change in changes:
        if resolved.id in {None, resolved.ref}:
            continue
        try:
            edits += change(path, resolved)
        except _NotHereError as refusal:
            refusals.append(_refusal(path, str(refusal)))
    if refusals:
        raise ManifestError(place(refusals, document))
    return edits


def _refusal(path: Path, reason: str) -> Finding:
    return Finding("not-editable", f"the reference can't be pinned: {reason}", path, hint=_HINT)


class _NotHereError(Exception):
    """A value does not stand where the path leads, or not for it alone."""


class _Text:
    """A text that is to be edited."""

    def __init__(self, source: Source, base: Path) -> None:
        # The whole of it: an alias may stand outside of the manifest.
        document = read_document(attrs.evolve(source, at=""))
        self.text = source.text
        self.root = document.root or ScalarNode(0, 0, None)
        self.base = base
        self.shared = _shared(self.root)

    def pin_pack(self, path: Path, pack: Resolved) -> Iterator[_Edit]:
        _, _, node = self.own(path)
        yield self.replaced(node, str(pack.id))
        # Behind a dash on its line, so the list is in block style.
        if self.text[max(0, node.start - _LOOK_BACK) : node.start].rstrip().endswith("-"):
            yield _Edit(node.end, node.end, f" # {escape(pack.ref)}")

    def pin_agent(self, path: Path, agent: Resolved) -> Iterator[_Edit]:
        holder, key, node = self.own(path)
        yield self.replaced(node, str(agent.id))
        mapping = cast("MappingNode", holder)
        label = mapping.entries.get("label")
        if label is None:
            yield self.added(mapping, key, node, agent.ref)
        elif isinstance(label.value, ScalarNode) and label.value.value is None:
            _, name, null = self.own((*path[:-1], "label"))
            written = self.written(agent.ref, like=self.text[key.start])
            if null.start == null.end:  # nothing is written behind the colon
                colon = self.text.index(":", name.end) + 1
                yield _Edit(colon, colon, f" {written}")
            else:
                yield _Edit(null.start, null.end, written)

    def own(self, path: Path) -> tuple[Node, Entry, Node]:
        """Find a value that is written where the path leads, with what holds it, and its key.

        An alias is its anchor's own node again, and a merged entry its first owner's. So what
        comes from elsewhere is shared, or does not stand inside of what holds it, behind
        what is before it.

        Raises:
            _NotHereError: It comes from elsewhere.
        """
        holder = node = self.root
        key = Entry(0, 0, node)
        for step in (*self.base, *path):
            holder = node
            key = _entry(holder, step)
            node = key.value
            if id(node) in self.shared:
                raise _NotHereError("an alias or a merge repeats this value in another place")
            if not holder.start <= key.start <= key.end <= node.start <= node.end <= holder.end:
                raise _NotHereError("it comes from an alias or a merge")
        return holder, key, node

    def replaced(self, node: Node, text: str) -> _Edit:
        behind = _PROPERTIES.match(self.text, node.start, node.end)
        start = behind.end() if behind else node.start
        return _Edit(start, node.end, self.written(text, like=self.text[start]))

    def written(self, text: str, *, like: str) -> str:
        """Write a text with the quotes that another one begins with, or with those it needs."""
        is_plain = (
            _PLAIN.fullmatch(text) is not None
            and isinstance(resolve(text), str)
            and not changes_in_yaml11(text)
        )
        if is_plain and like != '"':
            return f"'{text}'" if like == "'" else text
        return json.dumps(text, ensure_ascii=False).translate(_ESCAPED)

    def added(self, mapping: MappingNode, key: Entry, node: Node, label: str) -> _Edit:
        """Add a label to an agent behind its deployment, in the style of the mapping."""
        quote = self.text[key.start]
        pair = f"{self.written('label', like=quote)}: {self.written(label, like=quote)}"
        line = _line_start(self.text, key.start)
        before = self.text[line : key.start]
        starts = [entry.start for entry in mapping.entries.values()]
        first = min(start for start in starts if start >= mapping.start)  # others are merged
        if "{" in self.text[mapping.start : first]:
            gap = _break_before(self.text, line) + before if before.isspace() else " "
            return _Edit(node.end, node.end, f",{gap}{pair}")
        end = _LINE_END.search(self.text, node.end)
        place = end.start() if end else len(self.text)
        line_break = (end and end[0]) or _break_before(self.text, line)
        return _Edit(place, place, f"{line_break}{' ' * len(before)}{pair}")


def _entry(holder: Node, step: str | int) -> Entry:
    """Give an entry of a mapping, or, made up, an item of a list: behind those before it."""
    if isinstance(holder, MappingNode):
        return holder.entries[str(step)]
    items, index = cast("ListNode", holder).items, int(step)
    behind = max(holder.start, items[index - 1].end) if index else holder.start
    return Entry(holder.start, behind, items[index])


def _line_start(text: str, place: int) -> int:
    return max(text.rfind("\n", 0, place), text.rfind("\r", 0, place)) + 1


def _break_before(text: str, line: int) -> str:
    """Give the line break that a line stands behind, as the text writes them."""
    return "\r\n" if text.endswith("\r\n", 0, line) else text[line - 1 : line] or "\n"


def _shared(root: Node) -> set[int]:
    """Give the nodes that stand in a tree more than once, by identity."""
    seen: set[int] = set()
    shared: set[int] = set()
    stack = [root]
    while stack:
        node = stack.pop()
        if id(node) in seen:
            shared.add(id(node))
            continue
        seen.add(id(node))
        if isinstance(node, ListNode):
            stack += node.items
        elif isinstance(node, MappingNode):
            stack += [entry.value for entry in node.entries.values()]
    return shared
