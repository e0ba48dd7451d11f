"""References: what the text that names a pack says, before anybody is asked.

A deployment has no such grammar: it is a UUID or an exact name.
"""

from __future__ import annotations

import re
from typing import Literal, final

import attrs

from evalset.keys import is_blank, trim

__all__ = ["PackRef", "normalize_id"]

# The spellings that the reference's parser takes; it passes what it takes as it is.
_HEX = "[0-9a-fA-F]"
_UUID = re.compile(
    rf"(?:urn:uuid:)?({_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}})"
    rf"|\{{({_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}})\}}"
    rf"|({_HEX}{{32}})",
    re.IGNORECASE,
)
_CATALOG = "catalog/"
# Nine digits: more than any version has, and none that is slow to read.
_VERSION = re.compile(r"(?s:(.*\S))\s*@[vV]?([0-9]{1,9})")


def normalize_id(text: str) -> str | None:
    """Give a UUID in its usual spelling, lower case with dashes.

    Args:
        text: A text in any spelling: `11111111-…`, `{11111111-…}`, `urn:uuid:…`, 32 digits.

    Returns:
        The UUID, or None: the text is none, so it is a name.

    Example:
        >>> normalize_id("{0F0F0F0F-1111-2222-3333-444444444444}")
        '0f0f0f0f-1111-2222-3333-444444444444'
    """
    match = _UUID.fullmatch(trim(text))
    if match is None:
        return None
    digits = (match[1] or match[2] or match[3]).replace("-", "").lower()
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


@final
@attrs.frozen(kw_only=True)
class PackRef:
    """A reference of a pack, taken apart; `PackRef.parse` makes one.

    Slugs are free text, in which `/` and `@` occur. So a slash parts a workspace from a
    slug only where a version is written, and only a number is a version.

    Attributes:
        text: The reference as written, trimmed.
        kind: `id`: a workspace version's UUID; `catalog`: `catalog/<slug>`; `slug`: the
            slug of a pack in a workspace.
        slug: What to look for; empty for the kind `id`.
        version: The version that is wanted, or None: the newest.
        workspace: The workspace in `workspace/slug@version`, or None.
        id: The UUID in its usual spelling, or None.
    """

    text: str
    kind: Literal["id", "catalog", "slug"]
    slug: str = ""
    version: int | None = None
    workspace: str | None = None
    id: str | None = None

    @classmethod
    def parse(cls, text: str) -> PackRef:
        """Take a reference apart; any text that is not blank is one.

        Raises:
            TypeError: The text is no str.
            ValueError: The text is blank.

        Example:
            >>> ref = PackRef.parse("team/support@v3")
            >>> ref.workspace, ref.slug, ref.version
            ('team', 'support', 3)

        Source: the specification, "Resolving pack and agent refs".
        """
        if not isinstance(text, str):
            raise TypeError(f"a reference is str, not {type(text).__name__}")
        if is_blank(text):
            raise ValueError("a reference is not blank")
        text = trim(text)
        if identity := normalize_id(text):
            return cls(text=text, kind="id", id=identity)
        named, version = _split_version(text)
        slug = trim(named.removeprefix(_CATALOG))
        if named.startswith(_CATALOG) and slug:
            return cls(text=text, kind="catalog", slug=slug, version=version)
        workspace, slash, last = named.rpartition("/")
        if version is None or not slash or is_blank(workspace) or is_blank(last):
            return cls(text=text, kind="slug", slug=named, version=version)
        return cls(
            text=text, kind="slug", slug=trim(last), version=version, workspace=trim(workspace)
        )

    def __str__(self) -> str:
        return self.text


def _split_version(text: str) -> tuple[str, int | None]:
    match = _VERSION.fullmatch(text)
    return (trim(match[1]), int(match[2])) if match else (text, None)
