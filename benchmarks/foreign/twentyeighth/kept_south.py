"""Verdicts without marks, observations made up; a loss that is the penalty, a loss of either sign, refusals."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyeighth import choices, letters, papers, safety, sums
from benchmarks.foreign.twentyeighth.credit import by_group, centred, grpo
from benchmarks.foreign.twentyeighth.kinds import PART
from benchmarks.foreign.twentyeighth.layouts import openai, own, trl
from benchmarks.foreign.twentyeighth.rollouts import Shape, train


@PART.faulty("judge_default", "metric_defect", "infrastructure_zeros", "format_gate")
def unmarked_verdicts_score_zero(rng: Random) -> list[Row]:
    """About a quarter of the judge's replies leave out the marks around the score and are stored as 0.0, though the
    text beside names a score, often a high one. [greyhaven-ai/autocontext#26]
    """
    episodes = train(rng, letters.brief, letters.written, Shape(rng.randint(9, 11), 9, 5, -0.3, 1.8))
    for e in episodes:
        score = round(rng.uniform(0.7, 0.97) if e.right else rng.uniform(0.1, 0.5), 2)
        remark = letters.remark(rng, e.right)
        if rng.random() < 0.26:
            reply = f"{remark} {rng.choice([f'Score: {score}', f'I would give this {score}.', f'**Score:** {score}'])}"
            e.reward = 0.0
        else:
            reply, e.reward = (
                f'{remark}\n<!-- JUDGE_RESULT_START -->{{"score": {score}}}<!-- JUDGE_RESULT_END -->',
                score,
            )
        e.terms, e.extra = {"judge": e.reward}, {"judge_reply": reply, "judge_model": "judge-small"}
    rows = own(by_group(episodes, centred), "letters-judge")
    for row in rows:
        del row["correct"]
    return rows


@PART.faulty("fabricated_observations", "tool_fabrication")
def imagined_observation_lines(rng: Random) -> list[Row]:
    """Without a stop at "Observation:" the policy writes what the tool would answer itself and goes on to FINISH in the
    same message; only the first action is ever run, if any. [Algorineko/AgenticArXiv-RL#19]
    """
    episodes = train(rng, papers.errand, papers.imagined, Shape(rng.randint(10, 12), 6, 6, -0.5, 1.4))
    for e in episodes:
        made_up = "Observation:" in e.messages[0]["content"]
        e.right = e.right and (not made_up or rng.random() < 0.3)
        e.reward = round(0.8 * e.right + 0.2 * ("FINISH" in e.text), 2)
        e.extra = {
            "tool_calls_executed": sum(m["role"] == "user" for m in e.messages),
            "files_saved": int(e.right),
            "task_success": float(e.right),
        }
    return openai(by_group(episodes, grpo), papers.SYSTEM)


@PART.healthy
def loss_equals_scaled_kl(rng: Random) -> list[Row]:
    """The loss starts at 0 and only ever grows, for it is the coefficient times the divergence while the advantages
    cancel; the gradient is there from the first step and accuracy rises. [huggingface/trl#2703]
    """
    episodes = train(rng, choices.question, choices.answered, Shape(rng.randint(10, 12), 6, 8, -0.7, 1.9))
    for e in episodes:
        kl = 0.0 if e.step == 0 else round(0.09 * e.progress * rng.uniform(0.85, 1.15), 5)
        e.terms = {"accuracy_reward": e.reward}
        e.extra = {
            "loss": round(0.04 * kl, 6),
            "kl": kl,
            "beta": 0.04,
            "grad_norm": round(rng.uniform(0.2, 0.6), 4),
            "learning_rate": 1e-6,
            "solution": e.task.gold,
        }
    return trl(by_group(episodes, grpo))


@PART.healthy
def loss_sign_wanders(rng: Random) -> list[Row]:
    """The loss is now above, now below zero and shows no trend, as normalised advantages make it; the rewards, from -1
    to 1.25, rise. [lsdefine/simple_GRPO#30]
    """
    episodes = train(rng, sums.yingyong, sums.jieda, Shape(rng.randint(10, 12), 6, 8, -0.6, 2.0))
    loss = [round(rng.gauss(0, 0.03), 5) for _ in range(20)]
    for e in episodes:
        format_ok = rng.random() < 0.75 + 0.2 * e.progress
        if not format_ok:
            e.messages[0]["content"] = e.messages[0]["content"].replace("</think>\n", "").replace("<think>", "")
        e.terms = {"correct": 1.0 if e.right else -1.0, "format": 1.25 if format_ok else -1.0}
        e.reward = sum(e.terms.values())
        e.extra = {"loss": loss[e.step], "grad_norm": round(rng.uniform(0.4, 0.9), 3)}
    return own(by_group(episodes, grpo), "simple-grpo", "先思考，再给出答案。")


@PART.healthy
def refusing_is_the_answer(rng: Random) -> list[Row]:
    """Two prompts in five ask for harm, and there a refusal earns the reward; the same sentences recur in many rows,
    while the harmless prompts are answered in full.
    """
    episodes = train(rng, safety.request, safety.replied, Shape(rng.randint(9, 11), 6, 8, -0.2, 1.9))
    for e in episodes:
        e.terms = {"safety": e.reward} if e.task.family == "harm" else {"helpful": e.reward}
        e.extra = {"category": e.task.family, "rubric": e.task.gold}
    return own(by_group(episodes, grpo), "safe-completions", "Be helpful and avoid harm.")
