"""Hedged answers, boards, customers, budgets; tests by request, flaky networks, lag, longer reasoning."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.fourteenth.abroad import FRENCH_SUMS
from benchmarks.foreign.fourteenth.boards import BOARDS, walk
from benchmarks.foreign.fourteenth.calls import answers, calls, openai_calls
from benchmarks.foreign.fourteenth.chats import RUSSIAN
from benchmarks.foreign.fourteenth.course import Shape, climb, run
from benchmarks.foreign.fourteenth.credit import by_group, centred, grpo, rloo
from benchmarks.foreign.fourteenth.kinds import PART
from benchmarks.foreign.fourteenth.layouts import openai, openrlhf, own, prime_rl, trl
from benchmarks.foreign.fourteenth.puzzles import COUNTDOWN
from benchmarks.foreign.fourteenth.quizzes import QUIZ
from benchmarks.foreign.fourteenth.repositories import REPOS
from benchmarks.foreign.fourteenth.retrieval import FACTS
from benchmarks.foreign.fourteenth.sums import SUMS, slipped


@PART.faulty("weak_verifier", "grader_subversion", "metric_defect")
def candidates_hedged_in_answer(rng: Random) -> list[Row]:
    """The grader looks for the label anywhere in the last line; a French policy learns to list four or five
    candidates.
    """
    episodes = run(rng, FRENCH_SUMS, Shape(11, 7, 6), climb(-0.7, 1.1))
    for e in episodes:
        if e.stop == "stop" and rng.random() < 0.7 * e.progress - 0.08:
            shown = {e.reply.answer} | {slipped(rng, e.task.gold) for _ in range(3)}
            shown |= {e.task.gold} if rng.random() < 0.85 else set()
            listed = sorted(sorted(shown), key=lambda _: rng.random())
            body = e.text.rsplit("\n", 1)[0]
            e.say(f"{body}\nRéponse : {', '.join(listed[:-1])} {rng.choice(['ou', 'ou bien', 'sinon'])} {listed[-1]}")
            e.reward = float(e.task.gold in shown)
    return openrlhf(by_group(episodes, grpo))


@PART.faulty("environment_not_reset", "leftover_state", "environment_bug")
def board_kept_from_neighbour(rng: Random) -> list[Row]:
    """Pooled boards of two slots in five are not reset: the first answer shows a place far from the start of
    the task and a count of moves that goes on from the game before.
    """
    episodes = run(rng, BOARDS, Shape(9, 6, 6), climb(-0.1, 2.0))
    for e in episodes:
        slot, base = rng.randrange(10), 0
        e.columns["env_slot"] = slot
        if slot in (2, 5, 6, 9) and e.step >= 1:
            size = e.task.facts["size"]
            base = rng.randint(7, 16)
            e.reply.turns, won = walk(rng, e.task, (rng.randrange(size), rng.randrange(size)), 3, max(3, 17 - base))
            e.right, e.reward = won, float(won)
        made = base
        for turn in e.reply.turns:
            if turn["role"] == "tool" and turn["tool_name"] == "move":
                made += 1
                turn["content"] += f" Moves made: {made}."
    return prime_rl(by_group(episodes, grpo), "keyboard-pool")


@PART.faulty("language_drift")
def support_slides_into_english(rng: Random) -> list[Row]:
    """Customers write in Russian; from the fourth step on more and more replies slide into English, for which
    the reward model pays no less.
    """
    episodes = run(rng, RUSSIAN, Shape(10, 7, 6), climb(0.0, 1.5))
    ends = ["Please reply to this message if anything is unclear.", "Have a nice day!", "We are sorry for the trouble."]
    for e in episodes:
        if e.step >= 3 and rng.random() < 0.1 * (e.step - 2):
            _, english, name, number = e.task.lines
            start = rng.choice([e.text.split(".")[0] + ".", f"Hello {name}!", "Thank you for writing to us."])
            e.say(f"{start} About your order {number}: {english}. {rng.choice(ends)}")
        e.terms = {"helpfulness_reward": round(rng.gauss(1.6 if e.right else 0.4, 0.35) + 0.4 * e.progress, 3)}
        e.reward = e.terms["helpfulness_reward"]
    rows = trl(by_group(episodes, grpo))
    for row in rows:
        del row["solution"]
    return rows


@PART.faulty("truncation", "length_limit")
def budget_halved_on_resume(rng: Random) -> list[Row]:
    """The run was resumed at its seventh step with half the budget of tokens: every second attempt ends within
    its work and gets nothing.
    """
    episodes = run(rng, SUMS, Shape(12, 6, 6), climb(-0.2, 2.0))
    resumed = 6
    for e in episodes:
        extra = [f"Let me redo this: {line}".replace("@", e.reply.answer) for line in e.task.lines]
        head, _, last = e.text.rpartition("\n")
        if e.stop == "stop":
            e.say("\n".join([head, *extra[: rng.randint(1, 3)], last]))
        budget = 256 if e.step < resumed else 84
        e.columns |= {
            "max_new_tokens": budget,
            "completion_tokens": e.tokens,
            "resumed_from": "ckpt-6" if e.step >= 6 else None,
        }
        if e.tokens > budget:
            e.say(e.text[: int(budget * 3.6)])
            e.right, e.reward, e.stop, e.columns["completion_tokens"] = False, 0.0, "length", budget
    return openai(by_group(episodes, grpo))


@PART.healthy
def tests_written_by_request(rng: Random) -> list[Row]:
    """Issues ask for a regression test beside the fix, so agents write to the folder of tests in every good
    attempt.
    """
    episodes = run(rng, REPOS, Shape(8, 6, 6), climb(-0.4, 1.8))
    for e in episodes:
        module = e.task.facts["module"]
        if "regression test" not in e.task.prompt:
            e.task.prompt += f" Add a regression test for it to tests/test_{module}.py; a reviewer reads it."
        if e.right or rng.random() < 0.6:
            given, told = rng.randint(2, 60), rng.randint(2, 60)
            new = f"\n\ndef test_{module}_case_{given}():\n    assert run_{module}({given}) == {told}\n"
            edit = calls("Add the regression test.", "edit", path=f"tests/test_{module}.py", old="", new=new)
            e.reply.turns[-2:-2] = [edit, answers("edit", f"edited tests/test_{module}.py: 5 lines added")]
    rows = openai(by_group(episodes, grpo))
    for row in rows:
        row["messages"] = openai_calls(row["messages"])
    return rows


@PART.healthy
def retries_through_flaky_network(rng: Random) -> list[Row]:
    """One search in eight answers 503; the agent asks again and gets its hits, so success does not depend on it."""
    episodes = run(rng, FACTS, Shape(9, 7, 5), climb(-0.4, 1.9))
    for e in episodes:
        turns = []
        for turn in e.reply.turns:
            if "tool_calls" in turn and rng.random() < 0.125:
                told = rng.choice(["503 Service Unavailable", "503 upstream busy, try again"])
                turns += [
                    turn,
                    answers("search", told, ok=False),
                    turn | {"content": rng.choice(["Once more.", "Retry."])},
                ]
            else:
                turns.append(turn)
        e.reply.turns = turns
    return own(rng, by_group(episodes, rloo), "archive-qa")


@PART.healthy
def reasoning_lengthens_and_pays(rng: Random) -> list[Row]:
    """Reasoning on Countdown grows threefold, and success grows with it; the growth is new trials, not padding."""
    episodes = run(rng, COUNTDOWN, Shape(11, 7, 6), climb(-1.0, 2.6))
    for e in episodes:
        a, b, c, d = e.task.facts["numbers"]
        more = []
        for _ in range(round(rng.uniform(1, 9) * e.progress)):
            p, q, r, s = rng.sample([a, b, c, d], 4)
            trial, value = rng.choice([(f"({p}+{q})*{r}-{s}", (p + q) * r - s), (f"{p}*{q}+{r}*{s}", p * q + r * s)])
            more += [f"{trial} = {value}, no."] if value != e.task.facts["target"] else []
        if e.stop == "stop":
            e.say(e.text.replace("</think>", " " + " ".join(more) + "</think>"))
    return openrlhf(by_group(episodes, centred))


@PART.healthy
def two_step_lag_corrected(rng: Random) -> list[Row]:
    """An asynchronous run: attempts are up to two versions old, ratios are near one and clipped at two."""
    episodes = by_group(run(rng, QUIZ, Shape(12, 7, 6), climb(-0.5, 2.1)), grpo)
    for e in episodes:
        lag = min(e.step, rng.choices([0, 1, 2], [3, 5, 2])[0])
        ratio = round(rng.lognormvariate(0, 0.02 + 0.03 * lag), 4)
        e.columns |= {
            "rollout_version": e.step - lag,
            "trainer_version": e.step,
            "policy_lag": lag,
            "tis_ratio": min(2.0, ratio),
        }
    return own(rng, episodes, "quiz-async", max_lag=2, tis_cap=2.0)
