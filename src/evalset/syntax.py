"""What the YAML parser's complaints mean to the writer, and how to mend the text."""

from __future__ import annotations

import re

__all__ = ["explain_syntax"]

# What ruamel.yaml says -> what it means -> what to write; the first that fits wins.
_PROBLEMS = r"""
found character '\\t' -> a tab can't indent or start a value -> indent with spaces
found character '[@`%]' -> text can't start with this character -> put the text in double quotes
mapping values are not allowed -> a second `: ` on one line, or a key indented too far \
    -> put text that holds `: ` in quotes; keys of one mapping start in one column
sequence entries are not allowed -> a list item can't start here \
    -> put `- ` on a line of its own, below its key
could not find expected ':' -> a key without `:` \
    -> write `key: value`, with a space behind the colon
expected <block end>, but found '(-|<block entry>)' -> a list item where a key was expected \
    -> put every `-` of a list in one column
expected <block end> -> this line does not fit the mapping or list that it stands in \
    -> keys of one mapping start in one column, and so do the items of one list
expected ',' or '\]' -> a list in brackets is not closed, or a comma is missing \
    -> separate items with `, ` and close the list with `]`
expected ',' or '}' -> a mapping in braces is not closed, or a comma is missing \
    -> separate entries with `, ` and close the mapping with `}`
found unexpected (end of stream|document separator) -> a quoted text is not closed \
    -> close it with the quote that opens it
unknown escape character|escape sequence -> an escape that YAML does not have \
    -> write a backslash as `\\`, or use single quotes
expected '<document start>' -> text behind the end of the document \
    -> a manifest is one mapping of keys that start in the first column
found undefined tag handle -> a tag whose prefix is not defined -> remove the tag
follow up line|indentation indicator -> the lines of a block text are not indented alike \
    -> indent them by the same spaces
expected the node content -> a value is missing -> write it, or remove what leads to it
YAML directive|tag handle|YAML document -> a directive can't be read \
    -> remove the line that starts with `%`
"""


def explain_syntax(problem: str) -> tuple[str, str | None]:
    """Say what a complaint of ruamel.yaml means.

    Returns:
        What is wrong, and what to write instead if that is known.
    """
    for line in _PROBLEMS.replace("\\\n", "").strip().splitlines():
        pattern, meaning, remedy = (column.strip() for column in line.split(" -> "))
        if re.search(pattern, problem):
            return meaning, remedy
    return "this can't be read as YAML", None
