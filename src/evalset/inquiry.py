"""Who is asked what, and what follows from the answers: the policy, without any I/O.

A driver asks what `Inquiry.next` gives, hands each outcome to `Inquiry.take`, and, when
nothing more is to be asked, has it all from `Inquiry.result`. `evalset.resolving` has two
drivers; one for another framework is ten lines.

What holds, whoever drives:

- Each distinct reference is asked for once, in the manifest's order; UUIDs never.
- Only `NotFound` opens the way to the catalog, and only when all else is resolved, no two
  references are one, and it is no dry run. Then packs are made one by one, in the
  manifest's order, until the first that fails.
- What comes out depends on the answers alone, not on their order in time.
"""

from __future__ import annotations

from collections import deque
from typing import final

import attrs

from evalset.expansion import expand
from evalset.hosts import Asking, Found, NotFound, Outcome
from evalset.keys import KeyBy
from evalset.manifest import Manifest, place_in
from evalset.references import PackRef
from evalset.resolution import Failure, How, Resolution, ResolutionError, Resolved, put_ids
from evalset.shapes import demand
from evalset.unresolved import (
    Case,
    Conclusion,
    cases_of,
    explain_failures,
    explain_twins,
    identity,
    warn_of_fallbacks,
)

__all__ = ["Failed", "Inquiry", "Question"]


@final
@attrs.frozen
class Question:
    """One question to a host.

    Attributes:
        asking: The method that answers it.
        subject: Its argument: a `PackRef`, the name of an agent, or the slug to make.
        number: Which reference it is about, in the order of the manifest.
    """

    asking: Asking
    subject: PackRef | str = attrs.field(kw_only=True)
    number: int = attrs.field(kw_only=True)


@final
@attrs.frozen
class Failed:
    """The outcome of a question that the host could not answer."""

    exception: Exception


@final
class Inquiry:
    """The state of one resolution: used once, by one thread at a time."""

    def __init__(
        self,
        manifest: Manifest,
        *,
        has_catalog: bool,
        dry_run: bool = False,
        catalog_fallback: bool = True,
        give_up_after: int | None = None,
        key_by: KeyBy = "label",
    ) -> None:
        """Look at a manifest before anybody is asked.

        Args:
            manifest: The manifest.
            has_catalog: Whether packs can be made.
            dry_run: As for `resolve`, and so is the rest.
            catalog_fallback: See there.
            give_up_after: See there.
            key_by: See there.

        Raises:
            ManifestError: The manifest can't be expanded.
            ValueError: `give_up_after` is below 1, or `key_by` not what `expand` takes.
        """
        if give_up_after is not None and (type(give_up_after) is not int or give_up_after < 1):
            raise ValueError(f"give_up_after is {give_up_after!r}; it is a whole number from 1")
        expand(demand(manifest, Manifest, "manifest"), key_by=key_by)
        self._manifest = manifest
        self._key_by: KeyBy = key_by
        self._dry_run = dry_run
        self._patience = give_up_after
        self._cases = cases_of(manifest, has_catalog=has_catalog, fallback=catalog_fallback)
        self._searches = [
            _search(case, number) for number, case in enumerate(self._cases) if not case.is_id
        ]
        self._asked = self._is_out = 0
        self._answers: dict[int, Outcome | Failed] = {}
        self._settled = 0  # searches with an answer, without a gap from the first
        self._failures = 0  # of these, the failed ones
        self._conclusions: list[Conclusion] = []  # one for each case, once all is answered
        self._known: set[tuple[str, str] | None] = set()  # what they are
        self._purchases: deque[Question] = deque()
        self._making: Question | None = None  # whose answer is out
        self._is_stopped = False

    def __len__(self) -> int:
        """Give the number of references that are to be looked up."""
        return len(self._searches)

    def next(self) -> Question | None:
        """Give what may be asked now. Several questions may be out at one time.

        Returns:
            A question, each once; or None: nothing more, or nothing before an answer that
            is still out.
        """
        question = self._next()
        self._is_out += question is not None
        return question

    def _next(self) -> Question | None:
        if self.is_over:
            return None
        if self._asked < len(self._searches):
            self._asked += 1
            return self._searches[self._asked - 1]
        if self._is_out:
            return None  # what is still out may forbid the next step
        self._conclude()
        self._making = self._purchases.popleft() if self._purchases else None
        return self._making

    def take(self, question: Question, outcome: Outcome | Failed) -> None:
        """Note what came of a question."""
        self._is_out -= 1
        if question.asking == "instantiate":
            self._take_made(question.number, outcome)
            return
        self._answers[question.number] = outcome
        while self._settled < len(self._searches) and not self.has_given_up:
            answer = self._answers.get(self._searches[self._settled].number)
            if answer is None:
                break
            self._settled += 1
            self._failures += isinstance(answer, Failed)

    def _take_made(self, number: int, outcome: Outcome | Failed) -> None:
        self._making = None
        case = self._cases[number]
        made = self._conclusions[number] = _conclusion(case, outcome, "instantiate", "catalog")
        if isinstance(made, Failure) or identity(case, made) in self._known:
            self._purchases.clear()
        self._known.add(identity(case, made))

    def stop(self) -> None:
        """Ask nothing more, as where the driver was cancelled; what is out may be taken."""
        self._is_stopped = True

    @property
    def is_over(self) -> bool:
        """Whether nothing more will be asked, whatever is still out."""
        return self._is_stopped or self.has_given_up

    @property
    def has_given_up(self) -> bool:
        """Whether so many questions failed that no other is worth asking.

        Failures are counted in the manifest's order, as far as answers stand without a
        gap, and an answer behind that place does not count. So it makes no difference how
        many questions were out.
        """
        return self._patience is not None and self._failures >= self._patience

    @property
    def instantiated(self) -> tuple[Resolved, ...]:
        """What was made so far."""
        made = (each for each in self._conclusions if isinstance(each, Resolved))
        return tuple(each for each in made if each.how == "catalog")

    @property
    def making(self) -> str | None:
        """The reference that is being made; whether it was made only its answer tells."""
        return None if self._making is None else self._cases[self._making.number].ref

    def result(self) -> Resolution:
        """Give what came of it all.

        Raises:
            ResolutionError: A reference has no id, or two have one.
        """
        self._conclude()
        cases = list(zip(self._cases, self._conclusions, strict=True))
        warnings = warn_of_fallbacks(cases)
        findings = [*explain_failures(cases), *explain_twins(cases, self._manifest, self._key_by)]
        if findings:
            failures = [each for each in self._conclusions if isinstance(each, Failure)]
            raise ResolutionError(
                place_in(self._manifest, findings),
                failures=failures,
                instantiated=self.instantiated,
            )
        found = {
            path: each for case, each in cases if isinstance(each, Resolved) for path in case.paths
        }
        manifest = self._manifest
        packs = tuple([found["packs", at] for at in range(len(manifest.packs))])
        agents = tuple([found["agents", at, "deployment"] for at in range(len(manifest.agents))])
        return Resolution(
            manifest=put_ids(manifest, packs, agents),
            packs=packs,
            agents=agents,
            diagnostics=tuple(place_in(manifest, warnings) if warnings else ()),
        )

    def _conclude(self) -> None:
        """Say once what the searches mean; plan what to make, if all else is well."""
        if self._conclusions:
            return
        counted = {question.number for question in self._searches[: self._settled]}
        for number, case in enumerate(self._cases):
            answer = self._answers.get(number) if number in counted else None
            self._conclusions.append(_searched(case, answer))
        cases = list(zip(self._cases, self._conclusions, strict=True))
        self._known = {identity(case, each) for case, each in cases}
        findings = explain_failures(cases) or explain_twins(cases, self._manifest, self._key_by)
        if not self._dry_run and not findings:
            self._purchases.extend(
                Question("instantiate", subject=case.pack.slug, number=number)
                for number, (case, each) in enumerate(cases)
                if case.pack and isinstance(each, Resolved) and each.how == "pending"
            )


def _search(case: Case, number: int) -> Question:
    if case.pack:
        return Question("find_pack", subject=case.pack, number=number)
    return Question("find_agent", subject=case.ref, number=number)


def _searched(case: Case, answer: Outcome | Failed | None) -> Conclusion:
    if case.is_id:
        return Resolved(case.ref, id=case.ref, how="written")
    if case.may_be_made and isinstance(answer, NotFound):
        return Resolved(case.ref, id=None, how="pending")
    return _conclusion(case, answer, _search(case, 0).asking, "workspace")


def _conclusion(
    case: Case, answer: Outcome | Failed | None, asking: Asking, how: How
) -> Conclusion:
    if isinstance(answer, Found):
        wanted = case.pack.version if case.pack else None
        if None not in {wanted, answer.version} and wanted != answer.version:
            broken = ValueError(f"version {answer.version} was found where {wanted} was asked for")
            return Failure(case.ref, asking=asking, exception=broken)
        return Resolved(case.ref, id=answer.id, how=how, version=answer.version)
    if isinstance(answer, Failed):
        return Failure(case.ref, asking=asking, exception=answer.exception)
    return Failure(case.ref, asking=asking, outcome=answer)
