"""What a search strategy does, and what all of them share: reading the lineage.

A strategy is a pure function of the closed versions and the campaign's configuration. It holds no state, so a campaign
that was interrupted goes on where it stood, and a reproduced version finds the same plan.

What changes after several failed versions in a row (method: after three):

    question the evaluator itself   rows of the failed versions are graded again, before anything is planned (evolve)
    return to the last good version candidates start from the newest version that is known-good by its honest score
    switch layer                    proposals of the families that failed wait while others fill the generation
    prefer removing over adding     what the incumbent's chain added is taken back, one factor at a time, first

Failed are versions that were rejected by their score or a limit, invalid, or that broke off. What a backtest refused, a
duplicate, and one that nothing could be decided of was no trial; one that was kept without a claim neither failed nor
succeeded. A generation with a promotion ends the row: its versions stand side by side, whatever their numbers.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from evotrainer.campaign.labels import labels_of
from evotrainer.campaign.layout import BASE_VERSION, version_name
from evotrainer.campaign.lineage import baseline, best_chain, campaign_floor, gain, incumbent, stands_above
from evotrainer.campaign.trials import skills, trials_of
from evotrainer.config import Config
from evotrainer.config.factors import families_of
from evotrainer.records import (
    HIDDEN_LABELS,
    WITHOUT_RECIPE,
    Backtest,
    Intervention,
    Trial,
    VersionKind,
    VersionRecord,
    VersionSpec,
)

MOST_EMPTY = 8
"""Empty slots in a row that end a campaign: each specialist, or each elite twice, then had nothing lawful to try."""
RULE = "rule:"
"""Begins the evidence that is but the name of the rule that proposes."""
LEVER_AUTHOR = "lever:"
"""Begins the author of what follows from an audit and not from a trainer agent (tasks/propose/pool.py)."""


@dataclass(frozen=True)
class VersionPlan:
    """A version that is to start: what the flow needs to fix its VersionSpec."""

    version: str
    generation: int
    slot: int
    kind: VersionKind
    parents: tuple[str, ...]
    incumbent: str


@dataclass(frozen=True)
class Brief:
    """What the search tells the agent of one slot; any agent proposes from a context that this has narrowed."""

    rank: int
    """Which of its accepted candidates the slot takes, from 0."""
    specialist: str = ""
    """Who proposes, on its own surface (specialists.py); empty: nobody in particular, on every factor."""
    text: str = ""
    """The same for an agent that reads text."""


class SearchStrategy(ABC):
    """Decides what comes next. A strategy plans; what it leaves out is done as here."""

    @abstractmethod
    def plan(self, records: Sequence[VersionRecord], config: Config, places: int) -> list[VersionPlan]:
        """Return the versions that start next, at most `places`, once base and baseline are closed."""

    def next_generation(self, records: Sequence[VersionRecord], config: Config) -> list[VersionPlan]:
        """Return the versions that start next, side by side; an empty list ends the campaign.

        `records` are all closed versions; a generation is planned when the one before it is closed.
        """
        if plans := opening(records, config):
            return plans
        places = places_left(records, config)
        return self.plan(records, config, places) if places > 0 else []

    def brief(self, spec: VersionSpec, records: Sequence[VersionRecord], config: Config) -> Brief:
        """Return what the agent of a planned version is told; `records` are those closed when it was planned."""
        return Brief(rank=spec.slot, text=skill_text(records))

    def select(self, pool: Sequence[Intervention], backtests: Sequence[Backtest], slot: int, config: Config) -> int:
        """Return the index in `pool` of the candidate that this slot takes; slots of one generation never agree.

        The accepted come first: levers, what the evidence asks for, then explorations, one a factor; then the refused.
        """
        return best_accepted(pool, backtests)[slot]


def seen_trials(records: Sequence[VersionRecord]) -> list[Trial]:
    """Return the versions as trials, without those that infrastructure ended: agents never see these."""
    return [trial for trial in trials_of(records) if trial.label not in HIDDEN_LABELS]


def skill_text(records: Sequence[VersionRecord]) -> str:
    """Return how often each author's predictions came true, one line an author."""
    lines = []
    for one in skills(seen_trials(records)):
        if one.decided:
            lines.append(f"{one.author}: the sign came true in {one.hits} of {one.decided} predictions")
        if one.decided and one.gap is not None and one.brier is not None:
            lines[-1] += f"; stated probabilities lie {one.gap:+.2f} from the hit rate (Brier {one.brier:.3f})"
    return "\n".join(lines)


def shares_rollout(config: Config) -> bool:
    """Tell whether the slots of a generation share one rollout: a large policy samples long, the embedded one does not.

    Both ways give the same rows: no draw of a rollout is named by its version. A server has to start for each rollout.
    """
    is_quick = not config.policy.path and config.engine.rollout == "torch"
    return {"auto": not is_quick, "always": True, "never": False}[config.search.share_rollout]


def opening(records: Sequence[VersionRecord], config: Config) -> list[VersionPlan]:
    """Return the plans that every campaign begins with: the base policy, supervised stages, the campaign's own recipe.

    A recipe that was scored again under stricter access says nothing of itself: it is trained again under that.
    """
    if not records:
        return [VersionPlan(BASE_VERSION, 0, 0, "base", (), BASE_VERSION)]
    baselines = [record for record in records if record.spec.kind == "baseline"]
    if baselines and baselines[-1].verdict.leak_free_score is None:
        return []
    generation = 1 + max(record.spec.generation for record in records)
    supervised = [record for record in records if record.spec.kind in WITHOUT_RECIPE]
    start, last = incumbent(supervised), supervised[-1].spec.version
    kind: VersionKind = "baseline"
    if not baselines and len(supervised) <= config.warm_up.stages and start == last:
        kind = "warm_up" if config.warm_up.rows and start == BASE_VERSION else "distillation"
    return [VersionPlan(version_name(len(records)), generation, 0, kind, (start,), start)]


def places_left(records: Sequence[VersionRecord], config: Config) -> int:
    """Return how many versions may still start.

    `num_versions` counts versions that reinforcement learning trained. One that its backtest refused, or a slot
    without a candidate, is replaced: at most `num_versions` of them. After `MOST_EMPTY` empty slots in a row nothing is
    left to try.
    """
    last = records[-MOST_EMPTY:]
    if len(last) == MOST_EMPTY and all(record.is_empty for record in last):
        return 0
    num_tried = sum(record.spec.kind not in WITHOUT_RECIPE for record in records)
    return min(config.num_versions - num_trained(records), 2 * config.num_versions - num_tried)


def num_trained(records: Sequence[VersionRecord]) -> int:
    """Return how many versions count against `num_versions`: not supervised ones, empty slots and refused ones."""
    trained = [record for record in records if record.spec.kind not in WITHOUT_RECIPE]
    return sum(not record.is_empty and not record.was_refused for record in trained)


def candidates(records: Sequence[VersionRecord], config: Config, count: int) -> list[VersionPlan]:
    """Return `count` parallel candidates of the incumbent, or of the last good version after failures in a row.

    Where versions start from their parents, all train on from the `trunk`, and the last place goes to the incumbent's
    recipe, unchanged: what more training gains is no merit of a change. A single place goes to a change and to that by
    turns, beginning with a change of what was promoted: what was found of a version reaches the next proposal.
    """
    escalated = escalation(records, config)
    best = escalated.last_good if escalated else incumbent(records)
    start = trunk(records, best) if config.init == "parent" else best
    generation = 1 + max(record.spec.generation for record in records)
    first, last = len(records), len(records) + count - 1
    plans = [
        VersionPlan(version_name(first + slot), generation, slot, "candidate", (start,), best) for slot in range(count)
    ]
    goes_on = config.init == "parent" and best != BASE_VERSION and _is_gaining(records, best)
    was_change, is_alone = records[-1].spec.kind == "candidate", config.search.candidates_per_generation == 1
    is_change_due = is_alone and (not was_change or records[-1].spec.version == best)
    if plans and goes_on and not is_change_due:
        plans[-1] = VersionPlan(version_name(last), generation, count - 1, "continuation", (start,), best)
    return plans


def trunk(records: Sequence[VersionRecord], best: str) -> str:
    """Return the version whose weights the next ones train on: the incumbent's, or what was trained on from them.

    What gained too little to decide is gone on from: gains add up, and the sum is judged against the incumbent. A
    version takes the trunk's place where it stands above the incumbent and not below the trunk beyond the noise floor.
    """
    found, gained, floor = best, 0.0, campaign_floor(records)
    for _, members in groupby(_tried_on(records, best), key=lambda record: record.spec.generation):
        latest = max(members, key=lambda record: gain(record) or 0.0)
        own = gain(latest) or 0.0
        if stands_above(latest) and own >= gained - (floor.value if floor else 0.0):
            found, gained = latest.spec.version, own
    return found


def certified_versions(records: Sequence[VersionRecord], config: Config) -> list[str]:
    """Return the versions that a certificate scores: base policy, supervised stages, baseline and final incumbent.

    Where versions train on from each other, the trunk too: what is not shown to be better may be.
    """
    warmed = [record.spec.version for record in records if record.spec.kind in WITHOUT_RECIPE]
    best = incumbent(records)
    named = [BASE_VERSION, *warmed, baseline(records), best, trunk(records, best) if config.init == "parent" else None]
    return [name for name in dict.fromkeys(named) if name is not None]


def may_be_trained_on(spec: VersionSpec, records: Sequence[VersionRecord], config: Config) -> bool:
    """Return whether another generation may train on from a version that starts after `records`.

    Not from a supervised stage, and not from the last generation, which is always judged.
    """
    begun = num_trained(records) + config.search.candidates_per_generation
    return config.init == "parent" and spec.kind not in WITHOUT_RECIPE and begun < config.num_versions


def _is_gaining(records: Sequence[VersionRecord], best: str) -> bool:
    """Return whether the incumbent's own recipe still gained when it was last trained on."""
    own = [one for one in _tried_on(records, best) if one.spec.kind in ("continuation", "baseline")]
    return not own or stands_above(own[-1])


def _tried_on(records: Sequence[VersionRecord], best: str) -> list[VersionRecord]:
    kinds = ("candidate", "continuation", "baseline")
    return [one for one in records if one.spec.kind in kinds and one.spec.incumbent == best and one.was_trial]


def is_first(intervention: Intervention) -> bool:
    """Tell whether a candidate is tried before all others.

    So is what an audit shows, and what failures in a row ask for.
    """
    is_asked = any(item.startswith(MARK) for item in intervention.evidence)
    return is_asked or intervention.author.startswith(LEVER_AUTHOR)


def rests_on_nothing(intervention: Intervention) -> bool:
    """Tell whether neither a finding nor a number nor the lineage speaks for a candidate: it explores."""
    return not intervention.triggers and all(item.startswith(RULE) for item in intervention.evidence)


def best_accepted(pool: Sequence[Intervention], backtests: Sequence[Backtest]) -> list[int]:
    """Return the order of a pool: levers, what is asked for and predicted to gain, the others; then the refused.

    Each by predicted effect, one a factor first. That of an exploration is no reason to leave a finding unanswered.
    """

    def rank(index: int) -> tuple[bool, bool, float, int]:
        one, effect = pool[index], backtests[index].predicted_effect
        return not is_first(one), effect <= 0 or rests_on_nothing(one), -effect, index

    order = sorted(range(len(pool)), key=rank)
    accepted = rank_by_factor(pool, [index for index in order if backtests[index].accepted])
    return accepted + [index for index in order if not backtests[index].accepted]


def rank_by_factor(pool: Sequence[Intervention], order: Sequence[int]) -> list[int]:
    """Return `order` with the best of each factor first: parallel slots then try unlike things, which can merge."""
    seen: set[str] = set()
    first = [index for index in order if pool[index].factor not in seen and not seen.add(pool[index].factor)]
    return first + [index for index in order if index not in first]


MARK = "escalated:"
"""Begins the evidence of a proposal that is tried before others because versions failed in a row."""

_FAILED = ("rejected", "invalid", "failed")


@dataclass(frozen=True)
class Escalation:
    """Versions failed in a row: which, what they changed, and where to start again."""

    failed: tuple[str, ...]
    families: frozenset[str]
    """Families of the factors that they changed."""
    last_good: str


def escalation(records: Sequence[VersionRecord], config: Config) -> Escalation | None:
    """Return the escalation in force after these versions; None while too few failed in a row."""
    needed = config.harness.escalate_after
    trials = [record for record in records if _was_trial(record)]
    promoted = max((record.spec.generation for record in trials if record.verdict.outcome == "promoted"), default=-1)
    failed = [record for record in trials if record.spec.generation > promoted and record.verdict.outcome in _FAILED]
    if not needed or len(failed) < needed:
        return None
    changed = [key for record in failed if record.intervention for key in record.intervention.diff]
    return Escalation(
        failed=tuple(record.spec.version for record in failed),
        families=frozenset(families_of(changed)),
        last_good=last_good(records),
    )


def last_good(records: Sequence[VersionRecord]) -> str:
    """Return the newest version on the way to the incumbent that is known-good, else the base policy.

    What fresh rows promoted is known to be better than the version before it, unless its honest score says otherwise.
    """
    labels = labels_of(records)
    is_fresh = {record.spec.version for record in records if record.verdict.gate is not None}

    def is_good(version: str) -> bool:
        label = labels.get(version, "")
        return label == "good" or (label != "bad" and version in is_fresh)

    return next((name for name in reversed(best_chain(records)) if is_good(name)), BASE_VERSION)


def _was_trial(record: VersionRecord) -> bool:
    if record.spec.kind not in ("candidate", "merge"):
        return False
    if record.verdict.outcome == "inconclusive":
        return False
    return record.verdict.score is not None or record.verdict.outcome == "failed"
