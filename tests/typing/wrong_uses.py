"""What type checkers must refuse. Checked, never run; an ignore that hides nothing is an error."""

# pyright: reportUnnecessaryTypeIgnoreComment=true

import evalset
from evalset import Agent, Combination, Expansion, Limits, Manifest, Seeds

MANIFEST = Manifest("n", packs=["p"], agents=[Agent("a")])


def building() -> None:
    Manifest("n", ["p"], [Agent("a")])  # type: ignore[call-arg]
    Manifest("n", packs=["p"])  # type: ignore[call-arg]
    Manifest("n", packs=["p"], agents=["a"])  # type: ignore[list-item]
    Manifest("n", packs=[1], agents=[Agent("a")])  # type: ignore[list-item]
    Manifest("n", packs=["p"], agents=[Agent("a")], repeats="3")  # type: ignore[arg-type]
    Manifest("n", packs=["p"], agents=[Agent("a")], repeat=3)  # type: ignore[call-arg]
    Manifest("n", packs=["p"], agents=[Agent("a")], seeds={})  # type: ignore[arg-type]
    Agent("a", "b")  # type: ignore[call-arg]
    Agent(label="b")  # type: ignore[call-arg]
    Agent("a", label=1)  # type: ignore[arg-type]
    Seeds("fixed")  # type: ignore[arg-type]
    Seeds("explicit", seeds=["1"])  # type: ignore[list-item]
    Limits(20)  # type: ignore[call-arg]
    Limits(budget_usd="50")  # type: ignore[arg-type]


def changing(combination: Combination, expansion: Expansion) -> None:
    MANIFEST.name = "m"  # type: ignore[misc]
    MANIFEST.extensions["x-a"] = 1  # type: ignore[index]
    MANIFEST.packs.append("q")  # type: ignore[attr-defined]
    combination.repeat = 2  # type: ignore[misc]
    combination.id = "c"  # type: ignore[misc,assignment]
    expansion[0] = combination  # type: ignore[index]


def calling() -> None:
    evalset.load(5)  # type: ignore[arg-type]
    evalset.loads({})  # type: ignore[arg-type]
    evalset.loads("", "json")  # type: ignore[call-arg]
    evalset.loads("", format="toml")  # type: ignore[arg-type]
    evalset.loads("", unknown="ignore")  # type: ignore[arg-type]
    evalset.expand({})  # type: ignore[arg-type]
    evalset.expand(MANIFEST, 10)  # type: ignore[call-arg]
    evalset.expand(MANIFEST, key_by="pack")  # type: ignore[arg-type]
    evalset.matrix_key("p", "a", repeat=1)  # type: ignore[call-arg]
    evalset.expand(MANIFEST)[1.5]  # type: ignore[call-overload]
    evalset.expand(MANIFEST).select("p")  # type: ignore[call-arg]
    evalset.expand(MANIFEST).select(pack=1)  # type: ignore[arg-type]
    evalset.expand(MANIFEST).shard(1, 2, by="hash")  # type: ignore[arg-type]
    evalset.estimate(evalset.expand(MANIFEST), object())  # type: ignore[arg-type]
    evalset.expnd(MANIFEST)  # type: ignore[attr-defined]


class OwnManifest(Manifest):  # type: ignore[misc]
    """No model can be subclassed: extension is by protocols."""
