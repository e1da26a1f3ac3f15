"""The lineage: what became of each version, who descends from whom, which one is the incumbent.

Everything here is computed from records; repository.py reads and writes them.

The incumbent is the best promoted version of the last generation that promoted any. Candidates of one generation are
all judged against the incumbent that they started from, and only the best of the winners takes its place. Winners over
an older version (the search went back to it) take the place of the reigning one only if they rank above it.
"""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles, parse_version
from evotrainer.campaign.repository import read_records
from evotrainer.config import Config, load_config
from evotrainer.config.factors import changed_keys
from evotrainer.config.interventions import Diff, apply
from evotrainer.errors import LineageError
from evotrainer.records import LOST_ATTEMPTS, WITHOUT_RECIPE, NoiseFloor, VersionRecord, VersionSpec


def find(records: Sequence[VersionRecord], text: str) -> VersionRecord:
    """Return the record of the version that a person typed (v3, 3, v003); raises LineageError with what exists."""
    version = parse_version(text)
    names = [record.spec.version for record in records]
    if version not in names:
        near = difflib.get_close_matches(version, names, n=3, cutoff=0.0)
        hint = f"nearest: {', '.join(near)}; there are {len(names)} closed versions" if near else "none is closed yet"
        raise LineageError(f"no version {version} in this campaign ({hint})")
    return records[names.index(version)]


def incumbent(records: Sequence[VersionRecord]) -> str:
    """Return the version to beat: the best promoted of the last generation that promoted any, else the base."""
    promoted = [record for record in records if record.verdict.outcome == "promoted"]
    reigning: VersionRecord | None = None
    for generation in sorted({record.spec.generation for record in promoted}):
        winners = [record for record in promoted if record.spec.generation == generation]
        beaten = {record.spec.incumbent for record in winners}
        rivals = [] if reigning is None or reigning.spec.version in beaten else [reigning]
        reigning = max([*rivals, *winners], key=_rank)
    return reigning.spec.version if reigning else BASE_VERSION


def _rank(record: VersionRecord) -> tuple[float, float, str]:
    """Order winners by score, less what selection on screening rows had added to it where fresh rows tell.

    Winners whose checkpoints are equal so far are ordered by what their recipes gained.
    """
    score, gained, screened = record.honest_score, gain(record), _screened_gain(record)
    if score is None:
        return -1.0, 0.0, record.spec.version
    corrected = round(score + ((gained or 0.0) - (screened or 0.0)), 9)
    return corrected, recipe_gain(record) or 0.0, record.spec.version


def gain(record: VersionRecord) -> float | None:
    """Return what a version gained on its incumbent: on fresh rows where the gate drew any, else on screening rows."""
    gate = record.verdict.gate
    return gate.estimate if gate is not None and gate.estimate is not None else _screened_gain(record)


def has_won(record: VersionRecord) -> bool:
    """Return whether a valid version gained on its incumbent: two such candidates are merged."""
    is_valid = record.verdict.outcome in ("promoted", "kept") and record.verdict.score is not None
    return is_valid and (gain(record) or 0.0) > 0.0


def stands_above(record: VersionRecord) -> bool:
    """Return whether a version gained on its incumbent and nothing speaks against it, decided as the gain may be."""
    is_undecided = record.verdict.outcome == "inconclusive" and record.verdict.gate is not None and record.was_trial
    return has_won(record) or (is_undecided and (gain(record) or 0.0) > 0.0)


def recipe_gain(record: VersionRecord) -> float | None:
    """Return what a version's recipe gained: over fresh training seeds where any were trained, else by `gain`."""
    claim = record.confirmation.recipe if record.confirmation else None
    return claim.difference if claim is not None and claim.difference is not None else gain(record)


def came_true(record: VersionRecord) -> bool | None:
    """Return whether a version's prediction came true: over fresh training seeds where they measure it."""
    over_seeds = record.confirmation.prediction if record.confirmation else None
    if over_seeds is not None and over_seeds.came_true is not None:
        return over_seeds.came_true
    return record.verdict.prediction_hit


def observed_shift(record: VersionRecord) -> float | None:
    """Return how far the predicted metric moved: over fresh training seeds where they measure it."""
    over_seeds = record.confirmation.prediction if record.confirmation else None
    if over_seeds is not None and over_seeds.difference is not None:
        return over_seeds.difference
    return record.verdict.prediction_observed


def campaign_floor(records: Sequence[VersionRecord]) -> NoiseFloor | None:
    """Return the noise floor that the campaign measured on its base policy; None before that."""
    return next((record.verdict.noise_floor for record in records if record.spec.kind == "base"), None)


def _screened_gain(record: VersionRecord) -> float | None:
    against = [c for c in record.verdict.comparisons if c.against == record.spec.incumbent]
    return against[0].difference if against else None


def recipe_before(spec: VersionSpec, records: Sequence[VersionRecord]) -> str:
    """Return the version whose recipe a version's own is compared with: the incumbent's.

    The base policy has no recipe. A candidate on it changes the campaign's, which the baseline trained; the baseline
    itself is compared with not training at all.
    """
    if spec.incumbent != BASE_VERSION or spec.kind == "baseline":
        return spec.incumbent
    return baseline(records) or BASE_VERSION


def baseline(records: Sequence[VersionRecord]) -> str | None:
    """Return the version that trained the campaign's own recipe, the latest where a leak made it train again."""
    found = [record.spec.version for record in records if record.spec.kind == "baseline"]
    return found[-1] if found else None


def learning_start(records: Sequence[VersionRecord]) -> str:
    """Return the version that reinforcement learning starts from: the base policy, or a supervised stage that won."""
    first = baseline(records)
    return find(records, first).spec.incumbent if first else BASE_VERSION


def start_metrics(records: Sequence[VersionRecord]) -> dict[str, float]:
    """Return the metrics of the first training, which began at the campaign's start; empty before it is closed."""
    first = next((record for record in records if record.spec.kind == "baseline"), None)
    return first.metrics if first else {}


def failures_in_a_row(records: Sequence[VersionRecord]) -> int:
    """Return how many trials closed since the last promotion, base and baselines left out."""
    count = 0
    for record in reversed([record for record in records if record.was_trial]):
        if record.verdict.outcome == "promoted" or record.spec.kind in (*WITHOUT_RECIPE, "baseline"):
            break
        count += 1
    return count


def children(records: Sequence[VersionRecord], version: str) -> list[str]:
    """Return the versions that name `version` as a parent."""
    return [record.spec.version for record in records if version in record.spec.parents]


def best_chain(records: Sequence[VersionRecord]) -> list[str]:
    """Return the versions from the base to the incumbent, each judged better than the one before it."""
    by_name = {record.spec.version: record for record in records}
    chain = [incumbent(records)]
    while chain[-1] != BASE_VERSION and chain[-1] in by_name:
        chain.append(by_name[chain[-1]].spec.incumbent)
    return chain[::-1]


def reigns(records: Sequence[VersionRecord]) -> list[str]:
    """Return the incumbent after each version."""
    return [incumbent(records[: place + 1]) for place in range(len(records))]


def brought_by(records: Sequence[VersionRecord], version: str, key: str) -> str:
    """Return the version that first brought a setting, as `version` has it, into its line; empty where none did.

    A merge repeats what its parents changed, so each of its settings is of the parent's line that had it before.
    """
    brought: dict[str, tuple[Any, str]] = {}
    for record in records:  # parents were closed before
        name, made = record.spec.version, record.intervention
        inherited = [found for parent in record.spec.parents if (found := brought.get(parent))]
        if made is not None and key in made.diff:
            value = made.diff[key][1]
            brought[name] = value, min((who for had, who in inherited if had == value), default=name)
        elif inherited:
            brought[name] = inherited[0]
    return brought.get(version, (None, ""))[1]


def taken_recipes(records: Sequence[VersionRecord]) -> dict[str, str]:
    """Return {recipe hash: version} of every recipe tried: a proposal with one of these hashes is a duplicate.

    One whose attempts infrastructure took was not judged, and may be tried again.
    """
    return {
        record.config_hash: record.spec.version
        for record in reversed(records)
        if record.config_hash and record.verdict.label != LOST_ATTEMPTS
    }


def run_of_recipe(records: Sequence[VersionRecord], incumbent: str, config_hash: str) -> VersionRecord | None:
    """Return the training run of the recipe that proposals change: the incumbent's, once a trained policy leads.

    While the base policy leads, the recipe is the campaign's own, and what its last valid run did is all that is known.
    """
    if incumbent != BASE_VERSION:
        return next((record for record in records if record.spec.version == incumbent), None)
    runs = [record for record in records if record.config_hash == config_hash and record.spec.version != BASE_VERSION]
    valid = [
        record
        for record in runs
        if record.verdict.score is not None and not any(finding.severity == "invalid" for finding in record.findings)
    ]
    return valid[-1] if valid else None


def taken_policies(records: Sequence[VersionRecord]) -> dict[str, str]:
    """Return {policy hash: version} of every trained policy: an equal checkpoint is a duplicate, never a trial."""
    return {
        record.policy_hash: record.spec.version
        for record in reversed(records)
        if record.policy_hash and record.verdict.label != LOST_ATTEMPTS
    }


SCORES = ("score", "greedy_score")
"""Metrics that lead every list of differences."""

NUM_LEADING = 12
"""Metrics that a reader is shown at most before asking for all, unless findings name more."""


@dataclass(frozen=True)
class VersionDiff:
    """The differences between two versions: recipe keys and metric names, each with (first, second).

    `named` are the metrics that a finding of either version counts among its numbers.
    """

    first: str
    second: str
    changes: dict[str, tuple[Any, Any]]
    metrics: dict[str, tuple[float | None, float | None]]
    outcomes: tuple[str, str]
    named: list[str]

    @property
    def leading(self) -> list[str]:
        """Return the metrics to read first: scores, what findings name, then the largest relative differences.

        A metric of one version alone differs in no amount and leads only where a finding names it.
        """
        first = [name for name in dict.fromkeys((*SCORES, *self.named)) if name in self.metrics]
        rest = sorted((name for name in self.metrics if name not in first), key=self._likeness)
        return first + [name for name in rest if None not in self.metrics[name]][: max(0, NUM_LEADING - len(first))]

    def _likeness(self, name: str) -> float:
        """Return the smaller of two values over the larger, below 0 where the sign differs; 1 where one is missing."""
        one, two = self.metrics[name]
        if one is None or two is None:
            return 1.0
        low, high = sorted((one, two), key=abs)
        return low / high if high else 1.0


def diff_versions(files: CampaignFiles, first: str, second: str) -> VersionDiff:
    """Compare two closed versions: recipe keys and metrics that differ. The base stands for the campaign's recipe."""
    records = read_records(files)
    one, two = find(records, first), find(records, second)
    metrics = {
        name: (one.metrics.get(name), two.metrics.get(name))
        for name in sorted(one.metrics.keys() | two.metrics.keys())
        if one.metrics.get(name) != two.metrics.get(name)
    }
    return VersionDiff(
        first=one.spec.version,
        second=two.spec.version,
        changes=changed_keys(_recipe(files, one.spec.version), _recipe(files, two.spec.version)),
        metrics=metrics,
        outcomes=(one.verdict.outcome, two.verdict.outcome),
        named=sorted(numbers_of_findings(one, two) & metrics.keys()),
    )


def numbers_of_findings(*records: VersionRecord) -> set[str]:
    """Return the names of all numbers that findings of these versions give."""
    return {name for record in records for finding in record.findings for name in finding.numbers}


def _recipe(files: CampaignFiles, version: str) -> Config:
    """Return a version's recipe; the campaign's own where it has none, as the base has not."""
    own = files.version(version).config
    return load_config(own if own.is_file() else files.config)


def diff_base(records: Sequence[VersionRecord], version: str) -> str:
    """Return the version that a version's diff stands on."""
    record = find(records, version)
    if record.spec.kind == "merge":
        return common_base(records, *record.spec.parents)
    return record.spec.incumbent if record.spec.kind in ("candidate", "continuation") else BASE_VERSION


def recipe_chain(records: Sequence[VersionRecord], version: str) -> list[str]:
    """Return the versions whose diffs a recipe is made of, itself first, down to the base policy."""
    chain = [version]
    while chain[-1] != BASE_VERSION:
        chain.append(diff_base(records, chain[-1]))
    return chain


def common_base(records: Sequence[VersionRecord], first: str, second: str) -> str:
    """Return the nearest version that the recipes of two versions both stand on."""
    known = set(recipe_chain(records, second)[1:])
    return next(version for version in recipe_chain(records, first)[1:] if version in known)


def changes_since(records: Sequence[VersionRecord], base: str, version: str) -> list[Diff]:
    """Return the diffs from `base` to a version in their order; its own alone where it does not stand on `base`."""
    chain = recipe_chain(records, version)
    steps = chain[: chain.index(base)] if base in chain else chain[:1]
    made = [find(records, name).intervention for name in reversed(steps)]
    return [intervention.diff for intervention in made if intervention is not None]


def recipe_from(records: Sequence[VersionRecord], campaign: Config, version: str) -> Config:
    """Return a closed version's recipe: the campaign's under all diffs of its chain."""
    recipe = campaign
    for diff in changes_since(records, BASE_VERSION, version):
        recipe = apply(recipe, diff)
    return recipe


def ancestors(records: Sequence[VersionRecord], versions: Sequence[str]) -> set[str]:
    """Return versions and all that they descend from, through any of their parents."""
    parents = {record.spec.version: record.spec.parents for record in records}
    waiting, found = list(versions), set[str]()
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.extend(parents.get(name, []))
    return found
