"""The product: its size, its order, and that every key in it is its own."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalset import Agent, Expansion, Manifest, ManifestError, expand
from evalset.keys import KeyBy
from evalset.testing import expansions, manifests

DIALECTS: st.SearchStrategy[KeyBy] = st.sampled_from(["label", "deployment"])


def normal(text: str) -> str:
    """Give a key part as the specification says it: manifests hold trimmed text."""
    return text.replace(" ", "-")


def written_keys(manifest: Manifest, key_by: KeyBy) -> list[str]:
    """Write every key of the product in order, the plainest way."""
    agents = [
        a.deployment if key_by == "deployment" else a.label or a.deployment for a in manifest.agents
    ]
    axes = [manifest.packs, agents, *([manifest.models] if manifest.models else [])]
    repeats = [str(repeat + 1) for repeat in range(manifest.repeats)]
    return ["/".join(map(normal, cell)) for cell in product(*axes, repeats)]


@given(expansions())
def test_the_size_is_the_product_of_the_axes(expansion: Expansion) -> None:
    manifest = expansion.manifest
    size = (
        len(manifest.packs) * len(manifest.agents) * max(len(manifest.models), 1) * manifest.repeats
    )
    assert len(expansion) == manifest.count == size
    assert len(list(expansion)) == size
    assert expansion.to_dict()["count"] == len(expansion.rows()) == size


@given(expansions())
def test_keys_ids_and_safe_names_are_unique(expansion: Expansion) -> None:
    for names in (
        [combination.matrix_key for combination in expansion],
        [combination.id for combination in expansion],
        [combination.safe_name() for combination in expansion],
        [combination.safe_name(max_length=26) for combination in expansion],
    ):
        assert len(set(names)) == len(expansion)


@given(expansions())
def test_the_order_is_packs_then_agents_then_models_then_repeats(expansion: Expansion) -> None:
    manifest = expansion.manifest
    seeds = manifest.seeds.seeds or [None] * manifest.repeats
    cells = product(
        manifest.packs, manifest.agents, manifest.models or [None], enumerate(seeds, start=1)
    )
    assert [
        (each.pack_ref, each.agent, each.model_ref, (each.repeat, each.seed)) for each in expansion
    ] == list(cells)
    assert [each.index for each in expansion] == list(range(len(expansion)))


@given(expansions())
def test_keys_are_what_the_specification_says(expansion: Expansion) -> None:
    assert [each.matrix_key for each in expansion] == written_keys(
        expansion.manifest, expansion.key_by
    )


@given(manifests(unique_keys=False), DIALECTS)
def test_a_manifest_expands_exactly_when_its_keys_differ(manifest: Manifest, key_by: KeyBy) -> None:
    keys = written_keys(manifest, key_by)
    if len(set(keys)) == len(keys):
        assert [each.matrix_key for each in expand(manifest, key_by=key_by)] == keys
    else:
        with pytest.raises(ManifestError) as caught:
            expand(manifest, key_by=key_by)
        assert {each.code for each in caught.value.diagnostics} <= {
            "duplicate-pack", "duplicate-agent", "duplicate-model", "ambiguous-key"
        }  # fmt: skip


@given(manifests(), st.integers(1, 80))
def test_a_cap_is_exact(manifest: Manifest, cap: int) -> None:
    if manifest.count <= cap:
        assert len(expand(manifest, max_combinations=cap)) == manifest.count
    else:
        with pytest.raises(ManifestError) as caught:
            expand(manifest, max_combinations=cap)
        assert [each.code for each in caught.value.diagnostics] == ["too-many-combinations"]


SIZES = st.sampled_from([0, 1, 2, 3, 7, 10, 20, 40, 43, 50])


@given(SIZES.filter(bool), SIZES.filter(bool), SIZES, st.integers(1, 2002) | SIZES.filter(bool))
def test_no_manifest_has_more_than_2000(packs: int, agents: int, models: int, repeats: int) -> None:
    def build() -> Manifest:
        return Manifest(
            "n",
            packs=[f"p{number}" for number in range(packs)],
            agents=[Agent(f"a{number}") for number in range(agents)],
            models=[f"m{number}" for number in range(models)],
            repeats=repeats,
        )

    if packs * agents * max(models, 1) * repeats <= 2000:
        assert len(expand(build())) == packs * agents * max(models, 1) * repeats
    else:
        with pytest.raises(ManifestError) as caught:
            build()
        assert [each.code for each in caught.value.diagnostics] == ["too-many-combinations"]
