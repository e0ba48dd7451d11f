"""What current servers read in a text: YAML as Go's yaml.v3 decodes it into typed fields.

Written from the facts that were measured on the reference (docs/howto/edit.md says which), to
hold the safety of fixes against: it shares no rule with `evalset.corrections`.
"""

import re
from typing import Any

from evalset.document import read_document
from evalset.keys import trim
from evalset.nodes import OddNumber
from evalset.sources import Source
from evalset.tree import ListNode, MappingNode, Node, ScalarNode

__all__ = ["Refused", "as_servers_read"]

_WORDS = {
    **dict.fromkeys(("y", "Y", "yes", "on"), True),
    **dict.fromkeys(("n", "N", "no", "off"), False),
}


class Refused(Exception):  # noqa: N818 (it is an outcome)
    """The servers' reader does not take the text."""


def as_servers_read(text: str) -> dict[str, Any] | None:
    """Give the fields that they know, as they read them, or None if it is no YAML.

    JSON is YAML to them. A text that our own reader has something against (a tab at the end
    of a line, a control character) is not judged.

    Raises:
        Refused: A value has another type than its field.
    """
    document = read_document(Source(name="text", text=text, format="yaml"))
    if document.root is None or document.faults:
        return None
    root = _entries(document.root)
    seeds, limits = _entries(root.get("seeds")), _entries(root.get("limits"))
    return {
        **{key: _text(root.get(key)) for key in ("schema", "name")},
        **{key: _list(root.get(key), _text) for key in ("packs", "models", "scanners")},
        "agents": _list(root.get("agents"), _agent),
        "repeats": _whole(root.get("repeats")),
        "strategy": _text(seeds.get("strategy")).casefold() or "auto",
        "seeds": _list(seeds.get("seeds"), _whole),
        "max_concurrent_runs": _whole(limits.get("max_concurrent_runs")),
        "budget_usd": _number(limits.get("budget_usd")),
        "case_fanout": _boolean(root.get("case_fanout")),
    }


def _is_null(node: Node | None) -> bool:
    return node is None or (isinstance(node, ScalarNode) and node.value is None)


def _entries(node: Node | None) -> dict[str, Node]:
    if _is_null(node):
        return {}
    if not isinstance(node, MappingNode):
        raise Refused
    return {key: entry.value for key, entry in node.entries.items()}


def _list(node: Node | None, read: Any) -> list[Any]:  # noqa: ANN401
    if _is_null(node):
        return []
    if not isinstance(node, ListNode):
        raise Refused
    return [read(item) for item in node.items if not _is_null(item)]


def _agent(node: Node) -> tuple[str, str]:
    entries = _entries(node)
    return _text(entries.get("deployment")), _text(entries.get("label"))


def _scalar(node: Node | None) -> ScalarNode:
    if not isinstance(node, ScalarNode):
        raise Refused
    return node


def _text(node: Node | None) -> str:
    """Any scalar is text where text is wanted, as it was written."""
    if _is_null(node):
        return ""
    scalar = _scalar(node)
    return trim(str(scalar.value) if scalar.source is None else scalar.source)


def _number(node: Node | None) -> float:
    if _is_null(node):
        return 0
    scalar = _scalar(node)
    value, source = scalar.value, scalar.source
    if isinstance(value, OddNumber):
        is_octal = re.fullmatch("[-+]?0[0-7]+", value.source)
        return int(value.source, 8) if is_octal else value.value
    if isinstance(value, str) and source and re.fullmatch(r"[-+]?[0-9][0-9_]*(\.[0-9_]*)?", source):
        return float(source.replace("_", ""))
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise Refused
    return value


def _whole(node: Node | None) -> int:
    return int(_number(node))


def _boolean(node: Node | None) -> bool:
    value = False if _is_null(node) else _scalar(node).value
    value = _WORDS.get(value, value) if isinstance(value, str) else value
    if not isinstance(value, bool):
        raise Refused
    return value
