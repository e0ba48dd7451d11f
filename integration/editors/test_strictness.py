"""Every published schema but the editors' compiles in ajv's strictest mode, without a warning."""

import json
from typing import Literal

import attrs
import pytest
from integration.editors.corpus import BASE
from integration.editors.engines import SCHEMAS as PUBLISHED
from integration.editors.engines import Ajv

import evalset
from evalset.findings import write_report_json
from evalset.schemas import SCHEMAS, SchemaName


@attrs.frozen
class Text:
    """A JSON text to be judged."""

    text: str
    format: Literal["yaml", "json"] = "json"


def outputs() -> dict[SchemaName, object]:
    text = "\n".join(BASE.values())
    with pytest.raises(evalset.ManifestError) as caught:
        evalset.loads(f"{text}\nrepeat: 3\nname: again")
    expansion = evalset.expand(evalset.loads(text))
    findings = write_report_json([evalset.check_text(f"{text}\nrepeat: 3\nname: again")])
    return {
        "manifest": evalset.loads(text).to_dict(),
        "report": expansion.to_dict(),
        "record": {"matrix_key": expansion[0].matrix_key, "outcome": "done"},
        "diagnostics": caught.value.to_dict(),
        "findings": json.loads(findings),
    }


@pytest.mark.parametrize("name", SCHEMAS)
def test_ajv_compiles_a_schema_and_takes_what_it_describes(name: SchemaName) -> None:
    with Ajv(PUBLISHED / SCHEMAS[name]) as judge:
        good = json.dumps(outputs()[name])
        assert [judge(Text(good)), judge(Text("{}"))] == [True, False]
