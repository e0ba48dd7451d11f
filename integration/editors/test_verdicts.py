"""One table: what the library, the validators and the editors say of every document.

golden/verdicts.txt is the table; the page docs/reference/validators.md shows those of its
rows in which not all agree, each with its reason. EVALSET_UPDATE_GOLDEN=1 writes both.
"""

from collections.abc import Sequence
from pathlib import Path

import pytest
from integration.editors.corpus import CASES, Case
from integration.editors.engines import ENGINES, Ajv, as_json, check_jsonschema, editor, in_process
from integration.editors.golden import assert_golden
from integration.editors.lsp import HERE, Server

PAGE = HERE.parents[1] / "docs/reference/validators.md"
WORDS = {True: "yes", False: "no", None: "-"}

Row = tuple[bool | None, ...]


@pytest.fixture(scope="module")
def verdicts(
    yaml_editor: Server,
    json_editor: Server,
    ajv: Ajv,
    work: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[str, Row]:
    """Judge every case; None stands where a document can't be shown to an engine."""
    yaml = [case.text if case.format == "yaml" else None for case in CASES]
    columns: dict[str, list[bool | None]] = {
        **{
            engine: [in_process(engine, case) for case in CASES]
            for engine in ("library", "jsonschema", "jsonschema-rs")
        },
        "check-jsonschema": [*check_jsonschema(CASES, tmp_path_factory.mktemp("files"))],
        "ajv": [ajv(case) for case in CASES],
        "yaml-language-server": editor(yaml_editor, yaml, work / "verdict.evalset.yaml"),
        "VS Code JSON": editor(json_editor, [*map(as_json, CASES)], work / "verdict.evalset.json"),
    }
    rows = zip(*(columns[engine] for engine in ENGINES), strict=True)
    return {case.name: row for case, row in zip(CASES, rows, strict=True)}


def test_there_are_many_documents_with_names_of_their_own() -> None:
    assert len(CASES) >= 120
    assert len({case.slug for case in CASES}) == len(CASES)
    assert len({case.text for case in CASES}) == len(CASES)


def test_all_agree_but_where_a_reason_is_given(verdicts: dict[str, Row]) -> None:
    reasons = {case.name: case.differs for case in CASES}
    unexplained = [name for name, row in verdicts.items() if _differ(row) and not reasons[name]]
    needless = [name for name, row in verdicts.items() if reasons[name] and not _differ(row)]
    assert (unexplained, needless) == ([], [])


def test_the_table_is_as_recorded(verdicts: dict[str, Row]) -> None:
    width = max(len(case.name) for case in CASES)
    lines = ["Is the document taken? (-: it can't be shown to this engine)", ""]
    lines += [_line("", ENGINES, width)]
    for case in CASES:
        cells = [WORDS[verdict] for verdict in verdicts[case.name]]
        lines += [_line(case.name, cells, width) + f"  {case.differs or ''}".rstrip()]
    assert_golden("verdicts.txt", "".join(f"{line.rstrip()}\n" for line in lines))


def test_the_page_of_validators_shows_where_they_differ(verdicts: dict[str, Row]) -> None:
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition("<!-- rows -->\n")
    _, _, after = rest.partition("<!-- end of rows -->\n")
    shown: list[str] = []
    for reason in dict.fromkeys(case.differs for case in CASES if case.differs):
        cases = [case for case in CASES if case.differs == reason]
        shown += [f"\n**{reason[0].upper()}{reason[1:]}.**\n", _table(cases, verdicts)]
    rows = "".join(f"{part}\n" for part in shown)
    assert_golden(PAGE, f"{before}<!-- rows -->\n{rows}\n<!-- end of rows -->\n{after}")


def _differ(row: Row) -> bool:
    return len({*row} - {None}) > 1


def _line(name: str, cells: tuple[str, ...] | list[str], width: int) -> str:
    return " ".join([name.ljust(width), *map(str.ljust, cells, map(len, ENGINES))])


def _table(cases: Sequence[Case], verdicts: dict[str, Row]) -> str:
    lines = [f"| | {' | '.join(ENGINES)} |", f"| --- |{' --- |' * len(ENGINES)}"]
    for case in cases:
        cells = [WORDS[verdict] for verdict in verdicts[case.name]]
        lines.append(f"| {case.name} | {' | '.join(cells)} |")
    return "\n".join(lines)
