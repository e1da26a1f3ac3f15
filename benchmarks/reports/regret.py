"""Selection regret as tables: rules, rank correlations, refusals, changes, the learned term, all pools.

All effects are percentage points of honest score over the incumbent of the pool.
"""

import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.paired_seeds import SeedDifference
from benchmarks.regret.arithmetic import POINTS, gains, noise_floor, with_policies
from benchmarks.regret.distinct import change_of, distinct
from benchmarks.regret.learned import RECORDS, LeftOut, leave_one_out
from benchmarks.regret.measured.records import MeasuredCampaign, TrainedPool
from benchmarks.regret.replay import changes, correlations, reasons, refusals, steps
from benchmarks.regret.results import RuleOf, of_one, of_two_gated, oracle, pool_regret, regret_beyond, rule_result
from benchmarks.regret.rules import COMPARED, OURS, RULES, chosen, learned_rule, speed, step_ratio
from benchmarks.reports.lopo import interval_text
from benchmarks.reports.markdown import markdown_table


def regret_report(campaigns: Sequence[MeasuredCampaign]) -> str:
    """Return the Markdown of the bench."""
    measured, pools = usable(campaigns)
    left_out = {words: leave_one_out(measured, cases_of) for words, cases_of in RECORDS.items()}
    tables = [
        _counts(campaigns, pools),
        _oracle(pools),
        _rules(pools, rules_of(left_out)),
        _places(measured, rules_of({})),
        _correlations(measured),
        _steps(measured),
        _refusals(pools),
        _reasons(pools),
        _changes(pools),
        _learned(left_out),
        _pools(pools),
    ]
    return "\n".join(tables)


def regret_values(campaigns: Sequence[MeasuredCampaign]) -> dict[str, Any]:
    """Return pools and results as plain values, for results.json."""
    measured, pools = usable(campaigns)
    left_out = {words: leave_one_out(measured, cases_of) for words, cases_of in RECORDS.items()}
    return {
        "oracle": {"crossed": _interval(oracle(pools).crossed), "plain": _interval(oracle(pools).plain)},
        "rules": {name: _rule_values(pools, rule_of) for name, rule_of in rules_of(left_out).items()},
        "rank_correlations": {
            place: {name: _interval(found) for name, found in correlations(part).items()}
            for place, part in parts_of(measured).items()
        },
        "price_of_refusals": _interval(refusals(pools).price),
        "learned": {words: [_left_out_values(one) for one in found] for words, found in left_out.items()},
        "pools": [_pool_values(pool) for pool in pools],
    }


def usable(campaigns: Sequence[MeasuredCampaign]) -> tuple[list[MeasuredCampaign], list[TrainedPool]]:
    """Return campaigns and pools without candidates that have no policy, and without pools of fewer than two."""
    found = []
    for campaign in campaigns:
        pools = [with_policies(pool) for pool in campaign.pools]
        found.append(campaign.model_copy(update={"pools": [pool for pool in pools if len(pool.candidates) > 1]}))
    return found, [pool for campaign in found for pool in campaign.pools]


def parts_of(campaigns: Sequence[MeasuredCampaign]) -> dict[str, list[TrainedPool]]:
    """Return the first pool of each campaign, and all later ones, in which what pays most is taken already."""
    parts = {
        "first": [pool for campaign in campaigns for pool in campaign.pools[:1]],
        "later": [pool for campaign in campaigns for pool in campaign.pools[1:]],
    }
    return {place: pools for place, pools in parts.items() if pools}


def rules_of(left_out: Mapping[str, Sequence[LeftOut]]) -> dict[str, RuleOf]:
    """Return all rules by name, those with a learned term last."""
    plain: dict[str, RuleOf] = {name: lambda pool, rule=rule: rule for name, rule in RULES.items()}
    return plain | {
        f"learned from {words}": learned_rule({one.seed: one.search.term for one in found})
        for words, found in left_out.items()
    }


def _counts(campaigns: Sequence[MeasuredCampaign], pools: Sequence[TrainedPool]) -> str:
    unique = distinct(pools)
    lost = sum(not one.scores for campaign in campaigns for pool in campaign.pools for one in pool.candidates)
    sizes = [len(pool.candidates) for pool in pools]
    cells = [
        str(len(campaigns)),
        str(len(pools)),
        f"{statistics.fmean(sizes):.1f} ({min(sizes)} to {max(sizes)})",
        str(len(unique)),
        str(sum(not one.candidate.backtest.accepted for one in unique)),
        str(lost),
        f"{statistics.fmean(map(noise_floor, pools)):.1f}",
    ]
    columns = "campaigns | pools | candidates a pool | distinct | refused of them | without a policy | noise floor, pp"
    return markdown_table(columns, [cells])


def _oracle(pools: Sequence[TrainedPool]) -> str:
    found = oracle(pools)
    rows = [["crossed (too low)", interval_text(found.crossed)], ["plain (too high)", interval_text(found.plain)]]
    return markdown_table("best of each pool | gain, pp", rows)


def _rules(pools: Sequence[TrainedPool], rules: Mapping[str, RuleOf]) -> str:
    rows = []
    for name, rule_of in rules.items():
        found = rule_result(pools, rule_of)
        beyond = [
            "" if name == OURS else interval_text(regret_beyond(pools, rule_of, rules[OURS], measure))
            for measure in (of_one, of_two_gated)
        ]
        cells = [
            name,
            interval_text(found.gain),
            interval_text(found.regret[1]),
            beyond[0],
            interval_text(found.regret[2]),
            interval_text(found.gated_regret[2]),
            beyond[1],
            f"{found.share_best:.0%}",
            f"{found.share_near:.0%}",
        ]
        rows.append(cells)
    columns = (
        "rule | gain, pp | regret, pp | beyond backtest, pp | regret of two, pp | of two behind a gate, pp | "
        "beyond backtest, pp | took the best | within the noise floor of it"
    )
    return markdown_table(columns, rows)


def _places(campaigns: Sequence[MeasuredCampaign], rules: Mapping[str, RuleOf]) -> str:
    rows = []
    for place, pools in parts_of(campaigns).items():
        for name in COMPARED:
            found = rule_result(pools, rules[name])
            more = "" if name == OURS else interval_text(regret_beyond(pools, rules[name], rules[OURS], of_one))
            cells = [place, name, interval_text(found.gain), interval_text(found.regret[1]), more]
            rows.append([*cells, interval_text(found.gated_regret[2]), f"{found.share_near:.0%}"])
        best = oracle(pools)
        rows.append([place, "best, crossed", interval_text(best.crossed), "", "", "", ""])
        rows.append([place, "best, plain", interval_text(best.plain), "", "", "", ""])
    columns = (
        "pools of a campaign | rule | gain, pp | regret, pp | beyond backtest, pp | of two behind a gate, pp | "
        "within the noise floor of the best"
    )
    return markdown_table(columns, rows)


def _correlations(campaigns: Sequence[MeasuredCampaign]) -> str:
    rows = [
        [place, name, f"{found.mean:.2f} {_bounds(found, '.2f')}", str(found.num_seeds)]
        for place, pools in parts_of(campaigns).items()
        for name, found in correlations(pools).items()
    ]
    return markdown_table("pools of a campaign | realised gain, ranked by | rank correlation | campaigns", rows)


def _steps(campaigns: Sequence[MeasuredCampaign]) -> str:
    rows = [
        [place, kind, str(found.count), f"{found.predicted:+.1f}", f"{found.gain:+.1f}", f"{found.error:.1f}"]
        for place, pools in parts_of(campaigns).items()
        for kind, found in steps(pools).items()
    ]
    return markdown_table(
        "pools of a campaign | replayed step | candidates | predicted, pp | gain, pp | error, pp", rows
    )


def _refusals(pools: Sequence[TrainedPool]) -> str:
    found = refusals(pools)
    apart = "" if found.accepted_less_refused is None else interval_text(found.accepted_less_refused)
    cells = [
        interval_text(found.price),
        f"{found.num_pools_best_refused} of {len(pools)}",
        f"{found.num_pools_none_accepted} of {len(pools)}",
        apart,
    ]
    columns = "price of refusals, pp | the best is refused | all are refused | accepted less refused within a pool, pp"
    return markdown_table(columns, [cells])


def _reasons(pools: Sequence[TrainedPool]) -> str:
    rows = [
        [reason, str(found.count), f"{found.gain:+.1f}", str(found.num_better), str(found.num_worse)]
        for reason, found in reasons(pools).items()
    ]
    return markdown_table(
        "refused because | candidates | mean gain, pp | gained beyond noise | lost beyond noise", rows
    )


def _changes(pools: Sequence[TrainedPool]) -> str:
    rows = [
        [
            change,
            str(found.num_distinct),
            str(found.num_refused),
            f"{found.predicted:+.1f}",
            f"{found.gain:+.1f}",
            str(found.num_best),
            str(found.num_first),
        ]
        for change, found in changes(pools).items()
    ]
    return markdown_table("change | candidates | refused | predicted, pp | gain, pp | best | ranked first", rows)


def _learned(left_out: Mapping[str, Sequence[LeftOut]]) -> str:
    rows = []
    for words, found in left_out.items():
        entered = [one.search.term.name for one in found if one.search.term]
        said = ", ".join(f"{name} {entered.count(name)}" for name in dict.fromkeys(entered))
        before, after = (statistics.fmean(errors) for errors in zip(*map(_errors, found), strict=True))
        cells = [
            words,
            f"{statistics.fmean(one.num_cases for one in found):.0f}",
            f"{len(entered)} of {len(found)}{f' ({said})' if said else ''}",
            f"{before:.2f}",
            f"{after:.2f}",
        ]
        rows.append(cells)
    return markdown_table("learned from | cases | enters | error without, pp | error with, pp", rows)


def _errors(one: LeftOut) -> tuple[float, float]:
    return one.error_before, one.error_after


def _pools(pools: Sequence[TrainedPool]) -> str:
    rows = []
    for pool in pools:
        means = gains(pool).mean(1)
        firsts = [index for one in chosen(pool, RULES[OURS], 1) for index in one]
        cells = [
            str(pool.seed),
            pool.version,
            pool.incumbent,
            f"{len(pool.candidates)}, {sum(not one.backtest.accepted for one in pool.candidates)}",
            f"{noise_floor(pool):.1f}",
            ", ".join(f"{change_of(pool.candidates[index])} {means[index]:+.1f}" for index in firsts) or "none",
            f"{change_of(pool.candidates[means.argmax()])} {means.max():+.1f}",
            f"{pool_regret(pool, RULES[OURS]).regret[1]:+.1f}",
        ]
        rows.append(cells)
    columns = "seed | pool | incumbent | candidates, refused | noise floor | ranked first | best | regret, pp"
    return markdown_table(columns, rows)


def _bounds(found: SeedDifference, form: str) -> str:
    return "" if found.low is None or found.high is None else f"[{found.low:{form}}, {found.high:{form}}]"


def _interval(found: SeedDifference) -> dict[str, float | int | None]:
    return {"mean": found.mean, "low": found.low, "high": found.high, "num_campaigns": found.num_seeds}


def _rule_values(pools: Sequence[TrainedPool], rule_of: RuleOf) -> dict[str, Any]:
    found = rule_result(pools, rule_of)
    return {
        "gain": _interval(found.gain),
        "regret": {str(count): _interval(one) for count, one in found.regret.items()},
        "plain_regret": {str(count): _interval(one) for count, one in found.plain_regret.items()},
        "gated_regret": {str(count): _interval(one) for count, one in found.gated_regret.items()},
        "share_best": found.share_best,
        "share_near": found.share_near,
    }


def _left_out_values(one: LeftOut) -> dict[str, Any]:
    return {
        "seed": one.seed,
        "cases": one.num_cases,
        "term": one.search.term.name if one.search.term else None,
        "reason": one.search.reason,
        "error_before": one.error_before,
        "error_after": one.error_after,
    }


def _pool_values(pool: TrainedPool) -> dict[str, Any]:
    means = gains(pool).mean(1).tolist()
    return {
        "seed": pool.seed,
        "version": pool.version,
        "incumbent": pool.incumbent,
        "noise_floor": noise_floor(pool),
        "regret": pool_regret(pool, RULES[OURS]).regret[1],
        "candidates": [
            {
                "intervention_id": one.intervention.intervention_id,
                "change": change_of(one),
                "predicted": POINTS * one.backtest.predicted_effect,
                "speed": speed(one.backtest.numbers),
                "step_ratio": step_ratio(one.backtest.numbers),
                "accepted": one.backtest.accepted,
                "reason": one.backtest.reason,
                "gain": gain,
            }
            for one, gain in zip(pool.candidates, means, strict=True)
        ],
    }
