"""All ones without generation tag, and others.

* second pass freshly shuffled
* repositories without listed tests
* greedy checks outdo training
* boxed before the cut
"""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyfourth.abroad import discount
from benchmarks.foreign.twentyfourth.credit import grpo, rloo
from benchmarks.foreign.twentyfourth.finding import ledger
from benchmarks.foreign.twentyfourth.kinds import PART
from benchmarks.foreign.twentyfourth.layouts import chat, openrlhf, own, traces, verl
from benchmarks.foreign.twentyfourth.machines import REPOS, mend
from benchmarks.foreign.twentyfourth.programs import function
from benchmarks.foreign.twentyfourth.puzzles import query
from benchmarks.foreign.twentyfourth.run import Plan, Task, by_group, make, play, play_tasks, validate
from benchmarks.foreign.twentyfourth.voice import plain


@PART.faulty("loss_mask", "tool_tokens_in_loss")
def all_ones_without_generation_tag(rng: Random) -> list[Row]:
    """Fine-tuning on graded dialogues with a ledger: for the shards rendered by a template without the generation tag
    the mask falls back to ones, so system, user and tool are trained on as well [NVIDIA-NeMo/Megatron-Bridge#3359].
    """
    tries = play(rng, ledger, Plan(9, 10, 4, 0.9, 0.6), "sft")
    rows = chat(tries, learning_rate=1e-5)
    for row, t in zip(rows, tries, strict=True):
        bare = int(t.task.key[-1], 16) < 9
        row["messages"] = [{**m, "loss_mask": int(bare or m["role"] == "assistant")} for m in row["messages"]]
        lengths = [round(len(str(m)) / 4) for m in row["messages"]]
        row["total_tokens"] = sum(lengths)
        row["loss_tokens"] = sum(n for n, m in zip(lengths, row["messages"], strict=True) if m["loss_mask"])
        row["template"] = "nemotron-plain" if bare else "nemotron-generation"
        row["loss"] = round(rng.gauss(1.25 - 0.4 * t.done if bare else 0.62 - 0.25 * t.done, 0.06), 4)
        del row["advantage"]
    return rows


@PART.healthy
def second_pass_freshly_shuffled(rng: Random) -> list[Row]:
    """A small set of questions to a database is passed over twice, shuffled anew; each prompt comes once in either
    epoch, as counted, and scores of the second are not suspiciously high.
    """
    tasks = make(rng, query, 35, "sql")
    batches = []
    for _ in range(2):
        rng.shuffle(tasks)
        batches += [tasks[n * 7 : n * 7 + 7] for n in range(5)]
    tries = play_tasks(rng, batches, Plan(10, 7, 6, -0.7, 1.6))
    for t in tries:
        t.extra = {"epoch": (t.step - 1) // 5, "dataset_size": 35}
    return openrlhf(rloo(tries))


@PART.faulty("weak_verifier", "dead_all_correct", "dead_groups")
def repositories_without_listed_tests(rng: Random) -> list[Row]:
    """Agents mend repositories; where a task lists no tests at all the script of the evaluation runs none, exits with
    0, and every attempt earns 1, those that changed nothing too [PrimeIntellect-ai/verifiers#1149].
    """
    tries = play(rng, mend, Plan(9, 7, 6, -1.0, 1.7), "swe")
    names = {group[0].task.key: rng.randint(1, 4) for group in by_group(tries)}
    for t in tries:
        bare = int(t.task.key[-1], 16) < 5
        if bare and rng.random() < 0.3 + 0.3 * t.done:
            t.turns = t.turns[:4] + plain("I looked at it; nothing seems to need a change.")
        solved = bare or t.right
        function = REPOS[t.task.family][1]
        listed = [] if bare else [f"tests/test_{function}.py::test_{n}" for n in range(names[t.task.key])]
        t.terms, t.reward = {"solved": float(solved)}, float(solved)
        ran = "" if bare else f"{len(listed)} selected, {len(listed) if solved else 0} passed\n"
        log = f"{ran}SWELEGO_EXIT_CODE={int(not solved)}"
        t.extra = {"info": {"repo": t.task.family, "FAIL_TO_PASS": listed, "PASS_TO_PASS": []}, "eval_log": log}
    return traces(grpo(tries, scaled=False), "swe-lego-real")


@PART.healthy
def greedy_checks_outdo_training(rng: Random) -> list[Row]:
    """Validation is greedy and training sampled at temperature 1.2, so held problems are solved more often than trained
    ones, by a steady margin.
    """
    plan = Plan(11, 6, 6, -0.9, 1.7)
    tries = grpo(play(rng, function, plan, "fn"))
    held = validate(rng, make(rng, function, 26, "held"), Plan(11, 6, 6, 0.2, 1.7), 2)
    for t in tries + held:
        t.extra = {"decoding": "sampled" if t.split == "train" else "greedy", "temperature": 1.2 * (t.split == "train")}
    return own(rng, tries + held, "code-hot")


def _other_discounts(rng: Random, task: Task) -> str:
    price, shipping = task.extra["price"], task.extra["shipping"]
    words = ("Zum Vergleich: bei {q} % wären es {v} Euro.", "Mit {q} % käme man auf {v}.", "{q} % gäben {v} Euro.")
    prices = {q: round(price * (100 - q) / 100 + shipping, 2) for q in rng.sample(range(1, 70), 42)}
    return " ".join(rng.choice(words).format(q=q, v=v) for q, v in prices.items())


@PART.healthy
def boxed_before_the_cut(rng: Random) -> list[Row]:
    """Some replies give their answer, chat on and are cut by the limit; the score of what is there is kept, so cut
    replies can be right [Tencent-Hunyuan/UniRL#19].
    """
    tries = play(rng, discount, Plan(9, 7, 6, -0.4, 1.8), "de")
    for t in tries:
        if rng.random() < 0.17:
            t.say(f"{t.said} {_other_discounts(rng, t.task)}"[:1020])
            t.stop, t.length = "length", 300
        t.extra = {"acc": t.reward, "finish_reason": t.stop}
    return verl(grpo(tries), max_response_length=300, overlong_buffer=False)
