"""Numbers of a verdict as sentences: comparisons, gates, winner's curse."""

import math
from collections.abc import Sequence

from evotrainer.promotion.measures import MEASURES, WORDS
from evotrainer.records import CheckpointClaim, Comparison, LimitClaim, NoiseFloor, RecipeClaim, SeedRun, VersionRecord

_ENDINGS = {
    "promoted": "promoted",
    "futile": "stopped: twice the noise floor is out of reach",
    "harmful": "stopped: no improvement is possible any more",
    "inconclusive": "undecided",
    "open": "undecided",
}
_GREEDY_ENDINGS = {"futile": "not shown; more attempts would be the same, more problems (evaluate.max_problems) may"}
_LIMIT_ENDINGS = {"promoted": "shown to hold", "harmful": "broken", "futile": "not shown to hold"}


def describe(comparison: Comparison, confidence: float) -> str:
    """Return one comparison as a sentence."""
    metric = WORDS.get(comparison.metric, comparison.metric)
    place = "above" if comparison.low > 0 else "below" if comparison.high < 0 else "around"
    floor = "" if comparison.noise_floor is None else f", noise floor {comparison.noise_floor:.4f}"
    return (
        f"{metric} {comparison.score:.4f} against {comparison.other_score:.4f} of {comparison.against} "
        f"on {comparison.num_problems} problems x {comparison.attempts} attempts: "
        f"difference {comparison.difference:+.4f}, "
        f"{confidence:.0%} interval [{comparison.low:+.4f}, {comparison.high:+.4f}] {place} 0 "
        f"(Wilcoxon p {p_text(comparison.wilcoxon_p)}{floor})"
    )


def describe_gate(claim: CheckpointClaim, confidence: float) -> list[str]:
    """Return the gate's numbers: the fresh difference with its confidence sequence, the winner's curse, the limits."""
    if claim.estimate is None:
        return ["the gate saw no complete round of fresh attempts"]
    measure, ending = MEASURES[claim.measure], _ENDINGS[claim.outcome]
    drawn = f"{claim.attempts} fresh attempts a problem"
    if measure.is_greedy:
        drawn = f"the greedy attempts at {claim.num_problems} problems"
        ending = _GREEDY_ENDINGS.get(claim.outcome, ending)
    of = "" if claim.measure == "mean" else f" of {measure.words}"
    lines = [
        f"{drawn} on both arms: difference{of} {claim.estimate:+.4f}, {confidence:.0%} confidence sequence "
        f"[{claim.low:+.4f}, {claim.high:+.4f}], evidence {_power(claim.log_wealth)} against {1 / claim.alpha:.0f} "
        f"needed, noise floor {claim.noise_floor:.4f}: {ending}"
    ]
    if claim.winners_curse is not None:
        found = claim.winners_curse
        error = "" if found.standard_error is None else f" (SE {found.standard_error:.4f})"
        lines.append(
            f"winner's-curse correction: screening score {found.screening:.4f} - fresh score "
            f"{found.fresh:.4f} = {found.correction:+.4f}{error}"
        )
    return lines + [describe_limit(limit) for limit in claim.limits]


def describe_losses(share: float, attempts: str, limit: float) -> str:
    """Return that infrastructure errors took too many attempts for a decision, and what to do."""
    return (
        f"infrastructure errors took {share:.1%} of the {attempts}, more than the {limit:.1%} allowed: "
        "the version stays undecided, and its change may be proposed again"
    )


def describe_limit(limit: LimitClaim) -> str:
    """Return the result of one side-effect limit on the fresh rows."""
    moved = "" if limit.difference is None else f" {limit.metric} moved by {limit.difference:+.4f},"
    ending = _LIMIT_ENDINGS.get(limit.outcome, "undecided")
    return f"side-effect limit {limit.condition} on fresh rows:{moved} {limit.margin:.4g} allowed: {ending}"


def describe_recipe(claim: RecipeClaim, confidence: float) -> list[str]:
    """Return what fresh training seeds showed: the difference over seeds, all of them, and what decided."""
    seeds = (
        f"{_seeds(claim.reference)} of {claim.against}'s recipe"
        if claim.against != "v000"
        else (f"{_seeds(claim.reference)} of v000 evaluated again")
    )
    if claim.difference is None:
        return [f"recipe {claim.outcome}: {claim.reason} (its own seed {claim.screening:.4f}, against {seeds})"]
    bounds = "" if claim.low is None else f", {confidence:.0%} interval [{claim.low:+.4f}, {claim.high:+.4f}]"
    return [
        f"fresh training seeds: {_seeds(claim.candidate)}, worst {claim.minimum:.4f}; against {seeds}; difference "
        f"{claim.difference:+.4f}{bounds}, SD between seeds {claim.seed_spread:.4f}, recipe floor "
        f"{claim.recipe_floor:.4f}: {claim.outcome} ({claim.reason})"
    ]


def recipe_label(record: VersionRecord) -> str:
    """Return what is known of a version's recipe, in a few words; nothing where its recipe is not tested."""
    found = record.confirmation
    claim = found.recipe if found is not None else None
    if claim is None:
        return "unproven" if record.verdict.outcome == "promoted" else ""
    moved = "" if claim.difference is None else f" {claim.difference:+.4f}"
    attributed = f" {record.attribution}" if record.attribution else ""
    seeds = f"; {_range(claim.candidate)} against {_range(claim.reference)}" if claim.candidate else ""
    return f"{claim.outcome}{moved}{attributed}{seeds}"


def _range(runs: Sequence[SeedRun]) -> str:
    """Return the worst and the best of fresh training seeds."""
    scores = [run.score for run in runs]
    return f"{min(scores):.4f} to {max(scores):.4f} over {len(runs)} seeds" if scores else "none"


def _seeds(runs: Sequence[SeedRun]) -> str:
    return f"{len(runs)} ({' '.join(f'{run.score:.4f}' for run in runs)})"


def describe_floor(floor: NoiseFloor | None) -> str:
    """Return the campaign's noise floor as a sentence."""
    if floor is None:
        return "not measured yet"
    return (
        f"{floor.value:.4f}; no smaller difference is an improvement (two evaluations of v000 at {floor.attempts} "
        f"attempts differ by {floor.difference:+.4f}, SD {floor.observed:.4f} as observed)"
    )


def p_text(p: float) -> str:
    """Return a p value with its sign of relation; below 0.0001 only that."""
    return f"= {p:.2g}" if p >= 1e-4 else "< 0.0001"


def _power(log_wealth: float) -> str:
    return f"{math.exp(log_wealth):.3g}" if log_wealth < 30 else f"1e{log_wealth / math.log(10):.0f}"
