"""One cell of a manifest's product, and what its repeats share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

import attrs

from evalset.keys import (
    CombinationId,
    Fingerprint,
    GroupId,
    KeyPart,
    MatrixKey,
    combination_id,
    fingerprint,
    group_id,
    normalize_label,
    safe_name,
)
from evalset.parts import Agent

__all__ = ["Combination", "Group"]


@final
@attrs.frozen
class Group:
    """What the repeats of one combination share.

    Attributes:
        pack: Reference of the pack.
        agent: The agent.
        model: Reference of the model, or None for the implicit slot.
    """

    pack: str
    agent: Agent = attrs.field(kw_only=True)
    model: str | None = attrs.field(default=None, kw_only=True)


@final
@attrs.frozen(kw_only=True)
class Combination:
    """One cell of the product: what one evaluation worker runs.

    Attributes:
        matrix_key: The identity; stable as long as the manifest's texts are.
        group: Pack, agent and model: what the repeats of this combination share.
        repeat: From 1 to the manifest's `repeats`.
        seed: The seed of this repeat, or None: the harness picks one.
        case_fanout: The manifest's.
        index: Place in the whole expansion, from 0.
    """

    matrix_key: MatrixKey
    group: Group
    repeat: int
    seed: int | None
    case_fanout: bool
    index: int

    @property
    def pack_ref(self) -> str:
        """The pack's reference, trimmed."""
        return self.group.pack

    @property
    def agent(self) -> Agent:
        """The agent."""
        return self.group.agent

    @property
    def agent_ref(self) -> KeyPart:
        """The agent's deployment in its form for keys, under both dialects."""
        return normalize_label(self.group.agent.deployment)

    @property
    def agent_label(self) -> str | None:
        """The agent's label, or None."""
        return self.group.agent.label

    @property
    def model_ref(self) -> str | None:
        """The model's reference, trimmed, or None for the implicit slot."""
        return self.group.model

    @property
    def id(self) -> CombinationId:
        """The key in 26 characters that fit anywhere; see `combination_id`."""
        return combination_id(self.matrix_key)

    @property
    def group_id(self) -> GroupId:
        """What the repeats of this combination share, in 26 characters; see `group_id`."""
        return group_id(self.matrix_key)

    @property
    def fingerprint(self) -> Fingerprint:
        """What the work is, in 26 characters: the key of a cache that tells repeats apart.

        `f` and base32, as in an id, of the references as written, the repeat and the seed.
        Equal for equal work under another label or dialect; another where another seed,
        deployment, pack or model stands behind the same matrix key.
        """
        return fingerprint(
            self.group.pack,
            deployment=self.group.agent.deployment,
            model=self.group.model,
            repeat=self.repeat,
            seed=self.seed,
        )

    def safe_name(self, *, max_length: int = 63) -> str:
        """Give a readable name that ends in the id; see `safe_name` of `evalset.keys`."""
        return safe_name(self.matrix_key, max_length=max_length)

    if TYPE_CHECKING:
        # attrs' own narrows `other`, so that checkers refuse `"a key" in expansion`.
        def __eq__(self, other: object) -> bool: ...
        def __hash__(self) -> int: ...

    def to_dict(self) -> dict[str, Any]:
        """Give the combination as the reference's report has it.

        Returns:
            Plain data in the reference's order; `agent_label`, `model_ref` and `seed`
            are left out when there is none.
        """
        values = {
            "matrix_key": self.matrix_key,
            "pack_ref": self.pack_ref,
            "agent_ref": self.agent_ref,
            "agent_label": self.agent.label,
            "model_ref": self.model_ref,
            "repeat": self.repeat,
            "seed": self.seed,
            "case_fanout": self.case_fanout,
        }
        return {name: value for name, value in values.items() if value is not None}
