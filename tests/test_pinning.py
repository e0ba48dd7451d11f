"""Pinning puts ids into a text, and changes nothing else."""

import pytest

from evalset import ManifestError, Resolution, expand, loads, pin, resolve
from evalset.testing.hosts import FakeHost

HOST = FakeHost(
    packs={"support": "p1", "text to sql": "p2", "a\u2028b": "p3", "1": "p4", "x y": "p 5:"},
    agents={"gpt": "a1", "claude opus": "a2", "a: b": "a3", "yes": "a4", "010": "a5", "z": "a6"},
    catalog=["made"],
)
HEAD = "schema: evalset/v1\nname: n\n"


def resolved(text: str, at: str = "") -> Resolution:
    return resolve(loads(text, name="a.yaml", at=at), HOST, HOST)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            "packs:\n  - support\n  - 'text to sql'  # ours\nagents:\n  - deployment: gpt\n",
            "packs:\n  - p1 # support\n  - 'p2' # text to sql  # ours\nagents:\n"
            "  - deployment: a1\n    label: gpt\n",
            id="block style",
        ),
        pytest.param(
            'packs: [support, "text to sql"]\nagents: [{deployment: gpt}]\n',
            'packs: [p1, "p2"]\nagents: [{deployment: a1, label: gpt}]\n',
            id="flow style",
        ),
        pytest.param(
            "packs: [support]\nagents:\n- deployment: gpt # main\n- label: c\n"
            "  deployment: claude opus\n",
            "packs: [p1]\nagents:\n- deployment: a1 # main\n  label: gpt\n- label: c\n"
            "  deployment: a2\n",
            id="a label that is there",
        ),
        pytest.param(
            "packs: [support]\nagents:\n- deployment: 'a: b'\n- deployment: yes\n"
            "- deployment: '010'\n- {deployment: \"z\"}\n- {\"deployment\": claude opus}",
            "packs: [p1]\nagents:\n- deployment: 'a3'\n  label: \"a: b\"\n- deployment: a4\n"
            "  label: \"yes\"\n- deployment: 'a5'\n  label: \"010\"\n"
            '- {deployment: "a6", label: z}\n'
            '- {"deployment": a2, "label": "claude opus"}',
            id="quotes where they are needed",
        ),
        pytest.param(
            "packs: [support]\r\nagents:\r\n  - deployment: gpt\r\n",
            "packs: [p1]\r\nagents:\r\n  - deployment: a1\r\n    label: gpt\r\n",
            id="CR LF",
        ),
        pytest.param(
            "packs: [support]\nagents:\n  - deployment: gpt",
            "packs: [p1]\nagents:\n  - deployment: a1\n    label: gpt",
            id="no line break at the end",
        ),
        pytest.param(
            "packs: [support]\nagents:\n- deployment: gpt\n  label:\n- {label: ~, deployment: z}\n",
            "packs: [p1]\nagents:\n- deployment: a1\n  label: gpt\n- {label: z, deployment: a6}\n",
            id="a label that is null",
        ),
        pytest.param(
            "packs:\n- >-\n  text\n  to sql\n- &p !!str support\n-\n  '1'\n"
            "agents: [{deployment: gpt}]\n",
            "packs:\n- p2 # text to sql\n- &p !!str p1 # support\n-\n  'p4' # 1\n"
            "agents: [{deployment: a1, label: gpt}]\n",
            id="every way to write a text",
        ),
        pytest.param(
            'packs: ["x y"]\nagents: [\n  {\n    deployment: gpt\n  }\n]\n',
            'packs: ["p 5:"]\nagents: [\n  {\n    deployment: a1,\n    label: gpt\n  }\n]\n',
            id="an id with a colon, a mapping over lines",
        ),
        pytest.param(
            'packs: ["a\\u2028b"]\nagents:\n- deployment: gpt\n  x-a: {b: c}\n',
            'packs: ["p3"]\nagents:\n- deployment: a1\n  label: gpt\n  x-a: {b: c}\n',
            id="characters that are no text in YAML",
        ),
        pytest.param(
            'packs:\n- "a\\u2028b"\nagents: [{deployment: gpt}]\n',
            'packs:\n- "p3" # a\\u2028b\nagents: [{deployment: a1, label: gpt}]\n',
            id="a comment without them",
        ),
        pytest.param(
            "x-d: &d {x-tier: gold}\npacks: [support]\nagents:\n- <<: *d\n  deployment: gpt\n",
            "x-d: &d {x-tier: gold}\npacks: [p1]\nagents:\n- <<: *d\n  deployment: a1\n"
            "  label: gpt\n",
            id="a merge of something else",
        ),
        pytest.param(
            "packs: [made]\nagents: [{deployment: gpt}]\n",
            "packs: [made-made]\nagents: [{deployment: a1, label: gpt}]\n",
            id="a pack that was made",
        ),
        pytest.param(
            "packs: [support]\nagents:\n- ? deployment\n  : gpt\n",
            "packs: [p1]\nagents:\n- label: gpt\n  ? deployment\n  : a1\n",
            id="an explicit key",
        ),
        pytest.param(
            "packs: [0f0f0f0f111122223333444444444444]\n"
            "agents: [{deployment: 11111111-1111-1111-1111-111111111111}]\n",
            "packs: [0f0f0f0f111122223333444444444444]\n"
            "agents: [{deployment: 11111111-1111-1111-1111-111111111111}]\n",
            id="ids stay",
        ),
    ],
)  # fmt: skip
def test_ids_take_the_place_of_names_and_nothing_else_changes(before: str, after: str) -> None:
    resolution = resolved(HEAD + before)
    assert pin(HEAD + before, resolution) == HEAD + after
    assert loads(HEAD + after) == resolution.manifest
    assert agent_parts(HEAD + after) == agent_parts(HEAD + before)


def agent_parts(text: str) -> list[str]:
    return [cell.agent.label or cell.agent.deployment for cell in expand(loads(text))]


def test_json_stays_json() -> None:
    text = (
        '{"schema": "evalset/v1", "name": "n",\n "packs": ["support"],\n "agents": [\n'
        '  {"deployment": "gpt"},\n  {\n   "deployment": "claude opus",\n   "x-a": 1}]}\n'
    )
    assert pin(text, resolved(text)) == (
        '{"schema": "evalset/v1", "name": "n",\n "packs": ["p1"],\n "agents": [\n'
        '  {"deployment": "a1", "label": "gpt"},\n  {\n   "deployment": "a2",\n'
        '   "label": "claude opus",\n   "x-a": 1}]}\n'
    )


def test_a_byte_order_mark_stays() -> None:
    text = f"\ufeff{HEAD}packs: [support]\nagents: [{{deployment: gpt}}]\n"
    assert pin(text, resolved(text)) == (
        f"\ufeff{HEAD}packs: [p1]\nagents: [{{deployment: a1, label: gpt}}]\n"
    )


def test_what_is_pinned_is_not_pinned_again() -> None:
    text = f"{HEAD}packs: [support]\nagents: [{{deployment: gpt}}]\n"
    identity = "0f0f0f0f-1111-2222-3333-444444444444"
    host = FakeHost(packs={"support": identity}, agents={"gpt": identity})
    pinned = pin(text, resolve(loads(text), host))
    assert pin(pinned, resolve(loads(pinned), FakeHost())) == pinned


def test_what_is_pending_stays_a_name() -> None:
    text = f"{HEAD}packs: [made, support]\nagents: [{{deployment: gpt}}]\n"
    dry = resolve(loads(text), HOST, HOST, dry_run=True)
    assert pin(text, dry) == f"{HEAD}packs: [made, p1]\nagents: [{{deployment: a1, label: gpt}}]\n"


def test_a_manifest_inside_a_larger_document_is_pinned() -> None:
    text = (
        "run: 1\nmanifest: {schema: evalset/v1, name: n, packs: [support],\n "
        "agents: [{deployment: gpt}]}"
    )
    assert pin(text, resolved(text, at="/manifest")) == (
        text.replace("support", "p1").replace("gpt", "a1, label: gpt")
    )


REPEATS = "an alias or a merge repeats this value in another place"
COMES = "it comes from an alias or a merge"


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        pytest.param(
            "x-p: &p support\npacks: [*p]\nagents: [{deployment: gpt}]\n", [("3:6", REPEATS)],
            id="an alias",
        ),
        pytest.param(
            "packs: [&p support]\nagents: [{deployment: gpt}]\nx-p: *p\n", [("3:9", REPEATS)],
            id="an anchor that is used",
        ),
        pytest.param(
            "x-p: &p [support]\npacks: *p\nagents: [{deployment: gpt}]\n", [("3:10", REPEATS)],
            id="a list",
        ),
        pytest.param(
            "packs: [&a support]\nagents:\n- &g {deployment: gpt}\n- <<: *g\n  label: b\n",
            [("5:19", REPEATS), ("5:19", REPEATS)], id="a merge",
        ),
        pytest.param(
            "x-a: {&k support : 1}\npacks: [*k]\nagents: [{deployment: gpt}]\n", [("3:7", COMES)],
            id="the alias of a key",
        ),
        pytest.param(
            "packs: ['1']\nagents: [{&k x-gpt: 1, deployment: *k}]\n", [("4:11", COMES)],
            id="the alias of a key in the same mapping",
        ),
        pytest.param(
            "packs: [&k support]\n? *k\n: 1\nagents: [{deployment: gpt}]\n", [], id="a key",
        ),
    ],
)  # fmt: skip
def test_what_an_edit_would_change_elsewhere_is_refused(
    text: str, messages: list[tuple[str, str]]
) -> None:
    host = FakeHost(packs={"support": "p1", "1": "p4"}, agents={"gpt": "a1", "x-gpt": "a7"})
    if not messages:
        text = text.replace("? *k", "? x-*k")
        assert pin(HEAD + text, resolve(loads(HEAD + text), host)) == HEAD + text.replace(
            "&k support", "&k p1"
        ).replace("gpt", "a1, label: gpt")
        return
    with pytest.raises(ManifestError) as caught:
        pin(HEAD + text, resolve(loads(HEAD + text, name="a.yaml"), host))
    assert [str(diagnostic) for diagnostic in caught.value.diagnostics] == [
        f"a.yaml:{place}: error[not-editable] the reference can't be pinned: {reason}"
        for place, reason in messages
    ]


def test_another_text_is_refused() -> None:
    text = f"{HEAD}packs: [support]\nagents: [{{deployment: gpt}}]\n"
    with pytest.raises(ValueError, match="other references than those that were resolved"):
        pin(text.replace("support", "other"), resolved(text))
    with pytest.raises(ManifestError):
        pin("packs: [", resolved(text))


def test_a_text_that_is_too_large_for_places_is_refused() -> None:
    name = "n" * 300_000
    text = f"schema: evalset/v1\nname: {name}\npacks:\n  - support\nagents:\n  - deployment: gpt\n"
    resolution = resolved(text)
    with pytest.raises(ManifestError, match="too-large"):
        pin(text, resolution)


def test_arguments_have_their_types() -> None:
    text = f"{HEAD}packs: [support]\nagents: [{{deployment: gpt}}]\n"
    with pytest.raises(TypeError, match="a text is str, not bytes"):
        pin(text.encode(), resolved(text))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="resolution is of the type Resolution"):
        pin(text, loads(text))  # type: ignore[arg-type]
