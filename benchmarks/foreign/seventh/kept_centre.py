"""Two scales in one batch, policies that lag, a stale cache, scorers by their place."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.seventh.desks import desk_task
from benchmarks.foreign.seventh.dumps import prime_rl
from benchmarks.foreign.seventh.estimates import credit, credit_batch, dr_grpo, grpo, rloo
from benchmarks.foreign.seventh.formats import own
from benchmarks.foreign.seventh.kinds import PART
from benchmarks.foreign.seventh.pages import research_task
from benchmarks.foreign.seventh.patients import triage_task
from benchmarks.foreign.seventh.programs import code_task
from benchmarks.foreign.seventh.prose import say
from benchmarks.foreign.seventh.queries import query_task
from benchmarks.foreign.seventh.rollouts import Shape, call, climb, distinct, play, said, told, train
from benchmarks.foreign.seventh.sheets import sheet_task
from benchmarks.foreign.seventh.sums import sum_task


@PART.faulty("metric_defect", "reward_bias", "one_sided_loss", "blind_groups", "low_reward_spread")
def percents_beside_fractions(rng: Random) -> list[Row]:
    """In a mix normalised over the batch one environment reports percents and the other fractions, so every program has
    a negative advantage.
    """
    sheets = train(rng, sheet_task, Shape(11, 3, 8), start=0.0, gain=1.2, prefix="s")
    programs = train(rng, code_task, Shape(11, 3, 8), start=-0.2, gain=0.1, prefix="c")
    for e in sheets:
        e.reward = 100.0 if e.right else float(rng.choice((0, 20, 40)))
        e.terms = {"sheet_score": e.reward}
    for e in programs:
        e.reward = round(e.reply.extra["tests_passed"] / e.reply.extra["tests_total"], 4)
        e.terms = {"tests": e.reward}
    episodes = sorted(sheets + programs, key=lambda e: e.step)
    return own(rng, credit_batch(episodes, advantage_estimator="reinforce++"), "units")


@PART.healthy
def service_desk_behind_by_two(rng: Random) -> list[Row]:
    """Asynchronous training of a service agent: rollouts are at most two versions old, importance weights near 1."""
    episodes = train(rng, desk_task, Shape(11, 6, 8), start=-0.5, gain=2.1, prefix="d")
    lags: dict[str, int] = {}
    for e in episodes:
        lag = lags.setdefault(e.group, min(e.step, rng.choice((0, 1, 1, 2))))
        e.extra |= {
            "trainer_version": e.step,
            "rollout_version": e.step - lag,
            "importance_weight": round(rng.gauss(1, 0.015 + 0.02 * lag), 4),
        }
    return prime_rl(credit(episodes, dr_grpo))


@PART.faulty("tool_failures", "score_decline", "infrastructure_errors", "infrastructure_zeros", "metric_defect")
def search_cache_by_session(rng: Random) -> list[Row]:
    """From step 5 the search tool's cache is keyed by the session alone: every later query gets the hits of the first
    one.
    """
    episodes = train(rng, research_task, Shape(12, 5, 8), start=0.0, gain=1.5, prefix="w")
    for e in episodes:
        messages = e.reply.messages
        searches = [i for i, m in enumerate(messages) if m.get("tool_name") == "search"]
        if e.step < 5 or len(searches) < 2:
            continue
        first, second = messages[searches[0]], messages[searches[1]]
        kept = [*messages[: searches[1]], second | {"content": first["content"]}]
        for words in rng.sample(
            ("life of the architect", "birthplace and training", "designer biography", "architect lexicon entry"),
            rng.randint(1, 2),
        ):
            asked = say(rng, "[These are the same hits.|Not what I asked; other words.|Again the old results.|]")
            kept += [call(asked, "search", query=words), told("search", first["content"])]
        e.right = e.right and rng.random() < 0.08
        guess = e.reply.answer if e.right else e.task.reply(rng, False).answer
        e.reply.answer = guess
        kept.append(said(say(rng, f"[I could not find the page; my best guess is|Answer:|Probably] {guess}[.|]")))
        e.reply.messages = kept
        e.reward = float(e.right)
        e.terms = {"exact_match": e.reward}
    return prime_rl(credit(episodes, rloo))


@PART.faulty(
    "metric_defect", "dead_all_wrong", "answer_reading", "weak_family", "score_decline", "weak_verifier", "format_gate"
)
def scorers_by_their_place(rng: Random) -> list[Row]:
    """After a restart at step 6 the list of environments is in another order than that of scorers: triage and database
    swap theirs.
    """
    steps, skill = 12, climb(0.0, 1.4, 12)
    pools = [
        distinct(rng, make, 2 * steps, f"{name}-")
        for make, name in ((triage_task, "tr"), (query_task, "db"), (sum_task, "ma"))
    ]
    plan = [[task for pool in pools for task in pool[2 * s : 2 * s + 2]] for s in range(steps)]
    scorers = {"triage": "level_match", "sql": "answer_tag", "math": "boxed_match"}
    other = {"triage": "answer_tag", "sql": "level_match", "math": "boxed_match"}
    complaint_of = {"answer_tag": "no <answer> tag found", "level_match": "no triage level found"}
    episodes = play(rng, plan, 8, skill)
    for e in episodes:
        used = scorers[e.task.domain] if e.step < 6 else other[e.task.domain]
        e.extra |= {"scorer": used, "scorer_note": "ok"}
        if used != scorers[e.task.domain]:
            e.right, e.reward, e.terms = False, 0.0, {"correct": 0.0}
            e.extra["scorer_note"] = complaint_of[used]
    return own(rng, credit(episodes, grpo), "three")
