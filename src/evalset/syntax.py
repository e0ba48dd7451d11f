"""What the YAML parser's complaints mean to the writer, and how to mend the text."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias, final

import attrs

from evalset.edits import Correction, Edit
from evalset.faults import Fault, one_character
from evalset.quoting import printable, quote

__all__ = ["PLACEHOLDER_HINT", "Complaint", "explain_syntax"]

PLACEHOLDER_HINT = "fill the template in first; what is meant as text needs quotes around all of it"
"""What to do about `{{ name }}`."""

_MAX_KEY = 1024  # YAML 1.2.2, section 7.4.2: an implicit key is one line of that length at most

_PLAIN_KEY = re.compile(r"([A-Za-z_$][\w$.-]*):(\S.*)")
_TWO_COLONS = re.compile(
    r"\s*(?:- )*([A-Za-z_][\w.-]{,40}): +([\w(][ \w(),.;:/+-]{,80}?) *", re.ASCII
)
_LINE_START = re.compile(r"[\r\n]")
_COLON = re.compile(r":(?:\s|$)")
_QUOTES = "put the whole text in one pair of quotes; inside single quotes write ''"
_COLUMNS = "keys of one mapping start in one column, and so do the items of one list"


@final
@attrs.frozen(kw_only=True)
class Complaint:
    """What ruamel.yaml says of a text that it can't read.

    Attributes:
        text: The text.
        problem: Its words.
        place: Where the parser stopped.
        opened: Where what it was reading begins; `place` if it does not say.
        previous: Where the last thing begins that it could read.
    """

    text: str
    problem: str
    place: int
    opened: int
    previous: int

    def line_start(self, place: int) -> int:
        """Give where the line of a place begins."""
        return 1 + max(self.text.rfind("\n", 0, place), self.text.rfind("\r", 0, place))

    def line(self, place: int) -> str:
        """Give the line of a place."""
        return _LINE_START.split(self.text[self.line_start(place) :], maxsplit=1)[0]

    def rest(self, place: int) -> str:
        """Give what stands at a place and behind it in its line."""
        return _LINE_START.split(self.text[place:], maxsplit=1)[0].rstrip(" \t")

    def before(self, place: int) -> str:
        """Give what stands before a place in its line."""
        return self.text[self.line_start(place) : place]

    @property
    def found(self) -> str:
        """The character where the parser stopped."""
        return self.text[self.place : self.place + 1]

    @property
    def last_place(self) -> int:
        """The place; behind the last thing that is written where only blank lines follow."""
        is_end = not self.text[self.place :].strip()
        return len(self.text[: self.place].rstrip()) if is_end else self.place

    @property
    def is_first(self) -> bool:
        """Whether nothing stands before the place in its line."""
        return not self.before(self.place).strip()

    def fault(
        self,
        message: str,
        hint: str | None,
        span: tuple[int, int] | None = None,
        related: tuple[tuple[str, int, int], ...] = (),
    ) -> Fault:
        """Say it, by default at the character where the parser stopped."""
        start, end = span or one_character(self.text, self.last_place)
        return Fault("yaml-syntax", message, start, end, hint=hint, related=related)

    def at_rest(self, place: int, message: str, hint: str | None) -> Fault:
        """Say it of what stands at a place and behind it in its line."""
        return self.fault(message, hint, (place, place + len(self.rest(place))))

    def opening(self, message: str) -> tuple[tuple[str, int, int], ...]:
        """Show where what was being read begins, if that is another place."""
        if self.opened >= self.place:
            return ()
        return ((message, *one_character(self.text, self.opened)),)


_Explain: TypeAlias = Callable[[Complaint], Fault]


def explain_syntax(complaint: Complaint) -> Fault:
    """Say what a complaint of ruamel.yaml means: what is wrong, where, and what to write."""
    if fault := _explain_foreign(complaint):
        return fault
    if complaint.line(complaint.opened)[:1] == "%":
        return _explain_directive(complaint)
    for pattern, explain in _EXPLAIN.items():
        if re.search(pattern, complaint.problem):
            return explain(complaint)
    return complaint.fault(
        "this can't be read as YAML", None, None, complaint.opening("it starts here")
    )


_LINES = {
    r"\s*(```+|~~~+).*": (
        "a code fence of Markdown is no YAML",
        "remove the lines that start with it",
    ),
    r"(<{7}|={7}|>{7}|\|{7})(?: .*)?": (
        "a conflict marker of a merge is no YAML",
        "settle the conflict, and remove the lines of <<<<<<<, ======= and >>>>>>>",
    ),
}
_PLACEHOLDERS = {"{{": "}}", "{%": "%}"}


def _explain_foreign(it: Complaint) -> Fault | None:
    """Recognise what is of another language in the line where the fault begins or ends."""
    is_key = "could not find expected" in it.problem
    for place in (it.opened, it.place) if is_key else (it.place,):
        start, line = it.line_start(place), it.line(place)
        for pattern, (message, hint) in _LINES.items():
            if match := re.fullmatch(pattern, line):
                return it.at_rest(start + match.start(1), message, hint)
        for opening, closing in _PLACEHOLDERS.items():
            first = line.find(opening)
            last = line.find(closing, first)
            if -1 < first < last and not re.search("[\"'#]", line[:first]):
                message = "a placeholder of a template is no YAML"
                return it.fault(message, PLACEHOLDER_HINT, (start + first, start + last + 2))
    return None


def _explain_key(it: Complaint) -> Fault:
    """Explain a text that stands where only a key can, and has no `: ` in time."""
    head = it.rest(it.opened).partition(" #")[0].rstrip(" \t")
    shown = quote(head)
    is_one_line = it.line_start(it.place) == it.line_start(it.opened)
    if _COLON.search(head) and is_one_line:
        message = f"this key has more than the {_MAX_KEY:,} characters that YAML allows"
        return it.at_rest(it.opened, message, "shorten it")
    if head[0] in "[{\"'":
        message = "a key was expected here, within one line and with `: ` behind it"
        return it.at_rest(it.opened, message, "write key: value, in one line")
    if head[0] == "-" and head.strip("-"):
        message = f"{shown} is neither a key nor an item of a list"
        hint = f"write - {printable(head[1:])}, with a space behind the dash"
        return _with_space(it.at_rest(it.opened, message, hint), it.opened + 1)
    if head[0].isspace():
        message = f"the character U+{ord(head[0]):04X} can't indent"
        fault = it.fault(message, "indent with plain spaces", (it.opened, it.opened + 1))
        edit = Edit(it.opened, it.opened + 1, " ")
        is_narrow = head[0] == "\xa0"  # of the others nobody knows how many columns are meant
        correction = Correction("write a plain space", edit) if is_narrow else None
        return attrs.evolve(fault, correction=correction)
    if match := _PLAIN_KEY.fullmatch(head):
        hint = f"write {printable(f'{match[1]}: {match[2]}')}, with a space behind the colon"
        fault = it.at_rest(it.opened, f'{shown} has no ": "', hint)
        return _with_space(fault, it.opened + match.start(2))
    if "：" in head:  # noqa: RUF001 (what input methods for CJK write)
        hint = "write a plain colon and a space, not the wide colon U+FF1A"
    elif re.fullmatch(r"[\w$.-]+:?", head):
        hint = f"write {printable(head)}: and its value, with a space behind the colon"
    else:
        hint = "write key: value, with a space behind the colon; a comment starts with #"
    return it.at_rest(it.opened, f'{shown} has no ": "', hint)


def _with_space(fault: Fault, place: int) -> Fault:
    edit = Edit(place, place, " ")
    return attrs.evolve(fault, correction=Correction("put a space here", edit))


def _explain_quote(it: Complaint) -> Fault:
    mark = it.text[it.opened]
    message = "the quote that opens here is not closed"
    hint = f"close the text with {mark}"
    return it.fault(message, hint, (it.opened, it.opened + 1))


def _explain_block_end(it: Complaint) -> Fault:
    if not it.is_first:
        return _explain_behind(it)
    related = it.opening("the mapping or list starts here")
    if it.found in {"]", "}"}:
        return it.fault(f"this `{it.found}` closes nothing", "remove it", None, related)
    if re.match(r"-\s", it.text[it.place : it.place + 2]):
        message = "this list item does not fit the mapping or list that it stands in"
        return it.fault(message, "put every `-` of a list in one column", None, related)
    message = "this line does not fit the mapping or list that it stands in"
    is_below_block = it.text[it.previous : it.previous + 1] in {"|", ">"}
    hint = f"indent all lines of a block text alike; {_COLUMNS}" if is_below_block else _COLUMNS
    return it.fault(message, hint, None, related)


def _explain_behind(it: Complaint) -> Fault:
    """Explain what stands in a line behind a value that needs nothing more."""
    if it.found in {"&", "*"} and it.text[it.previous : it.previous + 1] == "&":
        message, hint = {
            "&": ("a value with two anchors", "keep one of the two"),
            "*": ("an anchor on an alias", "remove the anchor; what the alias names has its own"),
        }[it.found]
        return it.fault(message, hint)
    if it.found in {"]", "}"}:
        hint = "remove it, or put the whole text in one pair of quotes"
        return it.fault(f"this `{it.found}` closes nothing", hint)
    begins = it.line_start(it.place) > it.previous
    related = (("the value starts here", it.previous, it.previous + 1),) if begins else ()
    message = "something stands behind a value that has ended"
    return it.fault(message, _QUOTES, None, related)


def _explain_flow(it: Complaint) -> Fault:
    closing = "]" if "or ']'" in it.problem else "}"
    kind = "list" if closing == "]" else "mapping"
    word = re.match(r"[^\s,\[\]{}:\"']+|.", it.text[it.place : it.place + 99])
    found = f"`{printable(word[0])}`" if word else "the end of the text"
    message = f"`,` or `{closing}` was expected here, not {found}"
    hint = (
        f"separate what is in it with `, ` and close the {kind} with `{closing}`; "
        "text with a comma, bracket or `: ` in it needs quotes"
    )
    if it.text[it.place - 1] in {'"', "'"}:
        hint = _QUOTES
    return it.fault(message, hint, None, it.opening(f"the {kind} is opened here"))


def _explain_content(it: Complaint) -> Fault:
    if not it.found:
        message = "the text ends inside a list in brackets or a mapping in braces"
        return it.fault(message, "close what is still open with `]` or `}`")
    if "flow" in it.problem:
        return it.fault(
            f"a value is missing before `{it.found}`", f"write it, or remove the `{it.found}`"
        )
    return _explain_start(it)


def _explain_start(it: Complaint) -> Fault:
    message = f"plain text can't start with {quote(it.found)}"
    return it.fault(message, "put the whole text in double quotes")


def _explain_tab(it: Complaint) -> Fault:
    if it.is_first:
        return it.fault("a tab can't indent", "indent with spaces")
    if not it.rest(it.place):
        return it.fault("a tab stands at the end of the line", "remove it")
    sign = {":": "colon", "-": "dash"}.get(it.before(it.place).rstrip()[-1:])
    if sign:
        return it.fault(f"a tab stands behind the {sign}", "write a space instead")
    return it.fault("a tab can't stand here", "write spaces instead")


def _explain_colon(it: Complaint) -> Fault:
    before = it.before(it.place)
    if _COLON.search(before):
        hint = "put a text that holds `: ` in quotes"
        if match := _TWO_COLONS.fullmatch(it.line(it.place).partition(" #")[0]):
            hint = f'write {match[1]}: "{match[2]}", with quotes'
        return it.fault("a second `: ` in one line", hint)
    start = it.place - len(before.lstrip())
    message = "a key can't stand here: the value or text above goes on to this line"
    hint = "keys of one mapping start in one column, and a key has `: ` behind it"
    above = it.text[: it.line_start(it.place)].rstrip()
    last = above[1 + max(above.rfind("\n"), above.rfind("\r")) :].lstrip(" -")
    if match := _PLAIN_KEY.fullmatch(last):
        written = printable(f"{match[1]}: {match[2]}")
        hint = f"write {written}, with a space behind the colon, in the line above"
    return it.fault(message, hint, (start, it.place) if start < it.place else None)


def _explain_item(it: Complaint) -> Fault:
    hint = "put `- ` on a line of its own, below its key; text that starts with `- ` needs quotes"
    return it.fault("a list item can't start here", hint, (it.place, it.place + 1))


def _explain_name(it: Complaint) -> Fault:
    mark = it.text[it.opened]
    what = "an alias" if mark == "*" else "an anchor"
    message = f"`{mark}` starts {what}, and no name for it follows"
    hint = f"put text that starts with {mark} in quotes"
    return it.fault(message, hint, (it.opened, it.opened + 1))


def _explain_escape(it: Complaint) -> Fault:
    start = it.text.rfind("\\", 0, it.place + 1)
    escape = it.text[start : it.place + 1]
    message = f"{quote(escape.rstrip())} is no escape that YAML has"
    hint = "write a backslash as two, or use single quotes, where it is only a backslash"
    return it.fault(message, hint, (start, start + len(escape.rstrip())))


def _explain_block_text(it: Complaint) -> Fault:
    mark = it.text[it.opened]
    message = f"text can't stand in the line of the `{mark}` that starts a block text"
    hint = f"put it in the next line, indented; or, if it starts with {mark}, in quotes"
    return it.fault(message, hint, (it.place, it.place + len(it.rest(it.place))))


def _explain_directive(it: Complaint) -> Fault:
    message = "a directive, which is a line that starts with %, can't stand here"
    hint = "remove the line; a manifest is always YAML 1.2"
    return it.at_rest(it.line_start(it.opened), message, hint)


def _explain_root(it: Complaint) -> Fault:
    if match := re.compile("^%", re.MULTILINE).search(it.text, 0, it.place):
        return _explain_directive(attrs.evolve(it, opened=match.start()))
    message = "something stands behind the end of the document"
    return it.fault(message, "a manifest is one mapping of keys that start in the first column")


def _say(message: str, hint: str) -> _Explain:
    return lambda it: it.fault(message, hint, None, it.opening("it starts here"))


_TAG_HINT = "remove the tag; text that starts with ! needs quotes"

# What ruamel.yaml says -> who explains it; the first that fits wins.
_EXPLAIN: dict[str, _Explain] = {
    r"found character '\\t'": _explain_tab,
    "found character": _explain_start,
    "mapping values are not allowed": _explain_colon,
    "sequence entries are not allowed": _explain_item,
    "mapping keys are not allowed": _say(
        "`? ` can't start a value", "text that starts with `? ` needs quotes"
    ),
    "could not find expected ':'": _explain_key,
    "expected <block end>": _explain_block_end,
    r"expected ',' or '[\]}]": _explain_flow,
    "found unexpected (end of stream|document separator)": _explain_quote,
    "unknown escape character|escape sequence": _explain_escape,
    "expected '<document start>'|after document end": _explain_root,
    "undefined tag handle": _say("a tag whose prefix is not defined", _TAG_HINT),
    "(scanning|parsing) an? tag|expected URI|expected '[>!]'": _say(
        "a tag that can't be read", _TAG_HINT
    ),
    "scanning an (alias|anchor)": _explain_name,
    "scanning a block scalar.*but found": _explain_block_text,
    "follow up line|block scalar": _say(
        "the lines of a block text are not indented alike", "indent them by the same spaces"
    ),
    "expected the node content": _explain_content,
}
