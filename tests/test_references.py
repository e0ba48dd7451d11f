"""References of packs are taken apart without asking anybody."""

import pytest
from hypothesis import given

from evalset import PackRef
from evalset.keys import trim
from evalset.references import normalize_id
from evalset.testing import texts

ID = "0f0f0f0f-1111-2222-3333-444444444444"


@pytest.mark.parametrize(
    ("text", "ref"),
    [
        pytest.param("support", PackRef(text="support", kind="slug", slug="support"), id="a slug"),
        pytest.param(
            "  my pack ", PackRef(text="my pack", kind="slug", slug="my pack"), id="trimmed"
        ),
        pytest.param(
            "support@3", PackRef(text="support@3", kind="slug", slug="support", version=3),
            id="a version",
        ),
        pytest.param(
            "support@v3", PackRef(text="support@v3", kind="slug", slug="support", version=3),
            id="a version with v",
        ),
        pytest.param(
            "a\nb @V03", PackRef(text="a\nb @V03", kind="slug", slug="a\nb", version=3),
            id="a version with capital and zero",
        ),
        pytest.param(
            "red/support@3",
            PackRef(text="red/support@3", kind="slug", slug="support", version=3, workspace="red"),
            id="a workspace",
        ),
        pytest.param(
            "a/b/c@1",
            PackRef(text="a/b/c@1", kind="slug", slug="c", version=1, workspace="a/b"),
            id="the last slash counts",
        ),
        pytest.param(
            "red/support", PackRef(text="red/support", kind="slug", slug="red/support"),
            id="a slash without a version",
        ),
        pytest.param(
            "/x@3", PackRef(text="/x@3", kind="slug", slug="/x", version=3), id="no workspace"
        ),
        pytest.param(
            "x/ @3", PackRef(text="x/ @3", kind="slug", slug="x/", version=3), id="no slug behind"
        ),
        pytest.param("a@b", PackRef(text="a@b", kind="slug", slug="a@b"), id="no number"),
        pytest.param("@3", PackRef(text="@3", kind="slug", slug="@3"), id="a version of nothing"),
        pytest.param(
            f"a@{'9' * 5000}", PackRef(text=f"a@{'9' * 5000}", kind="slug", slug=f"a@{'9' * 5000}"),
            id="no version is that long",
        ),
        pytest.param(
            "a@\u0663", PackRef(text="a@\u0663", kind="slug", slug="a@\u0663"), id="other digits"
        ),
        pytest.param(
            "catalog/text-to-sql",
            PackRef(text="catalog/text-to-sql", kind="catalog", slug="text-to-sql"),
            id="the catalog",
        ),
        pytest.param(
            "catalog/a/b@2", PackRef(text="catalog/a/b@2", kind="catalog", slug="a/b", version=2),
            id="a version of the catalog",
        ),
        pytest.param(
            "catalog/ ", PackRef(text="catalog/", kind="slug", slug="catalog/"), id="no slug"
        ),
        pytest.param(ID, PackRef(text=ID, kind="id", id=ID), id="a UUID"),
        pytest.param(
            ID.upper(), PackRef(text=ID.upper(), kind="id", id=ID), id="a UUID in capitals"
        ),
    ],
)  # fmt: skip
def test_a_reference_is_taken_apart(text: str, ref: PackRef) -> None:
    assert PackRef.parse(text) == ref
    assert str(ref) == trim(text)


@pytest.mark.parametrize("text", ["", " ", "\u3000"])
def test_a_blank_reference_is_none(text: str) -> None:
    with pytest.raises(ValueError, match="not blank"):
        PackRef.parse(text)


def test_a_reference_is_text() -> None:
    with pytest.raises(TypeError, match="a reference is str, not int"):
        PackRef.parse(3)  # type: ignore[arg-type]


@given(texts())
def test_every_text_of_a_manifest_is_a_reference(text: str) -> None:
    ref = PackRef.parse(text)
    assert ref.text == trim(text)
    assert (ref.kind == "id") == (ref.slug == "") == (ref.id is not None)
    assert PackRef.parse(ref.text) == ref


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(ID, id="usual"),
        pytest.param(ID.upper(), id="capitals"),
        pytest.param(f" {ID}\n", id="padded"),
        pytest.param(ID.replace("-", ""), id="digits"),
        pytest.param(f"{{{ID}}}", id="braces"),
        pytest.param(f"urn:uuid:{ID}", id="urn"),
        pytest.param(f"URN:UUID:{ID.upper()}", id="urn in capitals"),
    ],
)
def test_a_uuid_is_known_in_any_spelling(text: str) -> None:
    assert normalize_id(text) == ID


@pytest.mark.parametrize(
    "text", [ID[:-1], f"{ID}0", f"{{{ID}", f"urn:{ID}", ID.replace("0", "g"), "support", ""]
)
def test_what_is_no_uuid_is_a_name(text: str) -> None:
    assert normalize_id(text) is None
