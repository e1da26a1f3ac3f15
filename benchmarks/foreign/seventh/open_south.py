"""An evaluation, a stop text, a judge of places, preferences, a critic."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.seventh.articles import summary_task
from benchmarks.foreign.seventh.dumps import verifiers
from benchmarks.foreign.seventh.estimates import credit, dr_grpo
from benchmarks.foreign.seventh.formats import openai
from benchmarks.foreign.seventh.kinds import PART
from benchmarks.foreign.seventh.pages import research_task
from benchmarks.foreign.seventh.prose import joined, say
from benchmarks.foreign.seventh.rollouts import Episode, Shape, chance, distinct, play, train
from benchmarks.foreign.seventh.stones import stones_task
from benchmarks.foreign.seventh.sums import sum_task


@PART.healthy
def research_evaluation(rng: Random) -> list[Row]:
    """An evaluation of four attempts a question with verifiers; wrong answers come from stopping after one hop."""
    episodes = play(rng, [distinct(rng, research_task, 64, "0")], 4, lambda _: 0.5, "test")
    for e in episodes:
        e.terms = {"exact_match": float(e.right)}
        e.extra |= {
            "generation_ms": round(rng.lognormvariate(8.2, 0.5), 1),
            "scoring_ms": round(rng.uniform(0.2, 3), 2),
        }
    return verifiers(episodes, "two-hop-web")


@PART.faulty("truncation", "early_exit", "answer_reading", "format_gate", "wrong_answer_rate")
def stops_at_a_heading(rng: Random) -> list[Row]:
    """The sampler's stop text ### ends every answer that is set out in headings before its result; finish_reason says
    stop.
    """
    episodes = play(rng, [distinct(rng, sum_task, 60, "0")], 6, lambda _: 0.8, "test")
    for e in episodes:
        e.extra |= {"stop_matched": None, "sampling_stop": ["###", "<|im_end|>"]}
        if rng.random() < 0.42:
            lines = e.text.split("\n")
            words = say(rng, "[Setup|Given|What we know|Approach]")
            shown = joined([f"**{words}**", *lines[: rng.randint(1, len(lines) - 1)], ""])
            e.reply.messages[0]["content"] = shown + "\n"
            e.extra["stop_matched"] = "###"
            e.right, e.reply.answer = False, ""
        e.extra["answer_read"] = e.reply.answer or None
        e.reward = float(e.right)
        e.terms = {"correct_answer": e.reward}
    return verifiers(episodes, "word-problems")


@PART.faulty("metric_defect", "reward_bias", "flaky_grading", "reward_outcome_divergence")
def judge_takes_the_first(rng: Random) -> list[Row]:
    """A pairwise judge names the text that it is shown as A nearly always, so the reward is the place of the text and
    not its content.
    """
    episodes = train(rng, summary_task, Shape(10, 7, 6), start=-0.5, gain=0.3, prefix="j")
    for e in episodes:
        place, other = rng.choice("AB"), rng.randint(1, 4)
        verdict = "A" if rng.random() < 0.94 else "B"
        e.reward = float(verdict == place)
        why = say(
            rng,
            f"[Summary|Text|Answer] {verdict} [is clearer|covers more|is more faithful|reads better]. "
            f"[Verdict|Better]: {verdict}",
        )
        e.extra |= {
            "shown_as": place,
            "judge_verdict": verdict,
            "judge_text": why,
            "baseline_points_held": other,
            "baseline_wrong_facts": int(rng.random() < 0.3),
        }
    return openai(credit(episodes, dr_grpo), judge="pairwise-v1")


@PART.healthy
def preferences_from_three_sources(rng: Random) -> list[Row]:
    """Preference pairs for DPO: each prompt has a chosen right and a rejected wrong answer, some pairs from short
    answers only.
    """
    rows = []
    for task in distinct(rng, sum_task, 160, "pair-"):
        source = rng.choice(("vendor_a", "vendor_b", "crowd"))
        pair = [
            Episode(0, task, n, task.reply(rng, right), right, "", reward=float(right))
            for n, right in enumerate((True, False))
        ]
        for e in pair:
            e.in_loss = True
            e.extra |= {
                "pair_id": task.problem_id,
                "role": "chosen" if e.right else "rejected",
                "source": source,
                "annotators": rng.randint(1, 3),
            }
            e.extra |= {"model_answer": e.reply.answer, "reference": task.gold}
        rng.shuffle(pair)
        rows += pair
    return openai(rows, "reward", dataset="dpo-v3")


@PART.healthy
def stones_with_a_critic(rng: Random) -> list[Row]:
    """PPO with a critic on a game of stones: the value, a mean over the turns, fits ever better, and the advantage is
    return less value.
    """
    episodes = train(rng, stones_task, Shape(12, 10, 4), start=-0.5, gain=2.2, prefix="n")
    share = {
        step: sum(e.right for e in episodes if e.step == step) / sum(e.step == step for e in episodes)
        for step in range(12)
    }
    for e in episodes:
        known = min(0.85, 0.25 + 0.06 * e.step)
        odds = chance(-0.5 + 0.14 * e.step, e.task.level)
        hint = 0.25 * (1 if e.right else -1) * known
        value = round(min(0.98, max(0.02, share[e.step] * (1 - known) + odds * known + hint + rng.gauss(0, 0.06))), 4)
        e.extra |= {"value": value, "return": e.reward, "algorithm": "ppo", "gae_lambda": 1.0, "gamma": 1.0}
        e.advantage = round(float(e.right) - value, 4)
    return openai(episodes)
