"""Reference follows the actor; register traces cut short; asked to write tests."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.thirteenth.estimates import grpo
from benchmarks.foreign.thirteenth.kinds import PART
from benchmarks.foreign.thirteenth.layouts import own, verl
from benchmarks.foreign.thirteenth.prose import call, heard, said
from benchmarks.foreign.thirteenth.repos import repair, searched, tested
from benchmarks.foreign.thirteenth.rollouts import Run, Task, binary, train
from benchmarks.foreign.thirteenth.tongues import closeness, sentence
from benchmarks.foreign.thirteenth.traces import trace


@PART.faulty("kl_ineffective")
def reference_follows_the_actor(rng: Random) -> list[Row]:
    """The reference of the KL penalty is the actor itself: KL and penalty are 0 throughout, though the policy moves
    far from the first checkpoint.
    """
    attempts = train(rng, sentence, Run(12, 6, 6, -0.6, 2.2, 10, 10))
    for a in attempts:
        a.reward = closeness(a.answer, a.task.gold)
        actor = rng.gauss(-0.7 + 0.25 * a.progress, 0.06)
        first = actor - abs(rng.gauss(0.75 * a.progress, 0.06))
        a.extra = {
            "actor_logprob_mean": round(actor, 5),
            "ref_logprob_mean": round(actor, 5),
            "step0_logprob_mean": round(first, 5),
            "kl": 0.0,
            "kl_coef": 0.05,
            "kl_penalty": 0.0,
        }
    return verl(rng, grpo(attempts))


@PART.faulty("truncation", "length_limit")
def register_traces_cut_short(rng: Random) -> list[Row]:
    """The budget of 270 tokens cuts traces of more than some eighteen rounds in the middle of a line; all of these
    get 0.
    """
    attempts = train(rng, trace, Run(10, 6, 8, 0.6, 1.6, 0, 1))
    for a in attempts:
        text = a.messages[0]["content"]
        if a.tokens > 270:
            a.messages, a.stop, a.right = [said(text[: int(270 * 3.7)])], "length", False
    return verl(rng, grpo(binary(attempts)), max_response_length=270)


@PART.healthy
def tests_are_the_assignment(rng: Random) -> list[Row]:
    """The task is to add a test to a crate, so the files of tests are what is edited; mutants killed are the reward."""

    def make(rng: Random, index: int) -> Task:
        task = repair(rng, index)
        about = task.prompt.split(": ")[1].split(".")[0]
        path = f"tests/{task.extra['unit']}.rs"
        task.prompt = f"`{task.family}` {index + 11}: add a test to {path} that fails if this comes back: {about}."
        task.extra["old"] = task.gold
        task.system = "You work in /repo with the tool `bash`. Add the test that is asked for. Say SUBMIT at the end."
        return task

    attempts = train(rng, make, Run(9, 6, 6, -0.5, 1.8))
    for a in attempts:
        t, killed = a.task.extra, rng.randint(5, 6) if a.right else rng.randint(0, 4)
        body = f"assert_eq!({t['unit']}::run(&{[rng.randint(0, 9) for _ in range(3)]}), {rng.randint(0, 40)});"
        name = f"{rng.choice(('covers_edge', 'holds_on_empty', 'keeps_last', 'regression'))}_{rng.randint(1, 99)}"
        command = f"cat >> tests/{t['unit']}.rs <<'EOF'\n#[test]\nfn {name}() {{\n    {body}\n}}\nEOF"
        edit = [
            said(rng.choice(("Adding the test.", "Here it goes.", "")), call("bash", command=command)),
            heard("bash", ""),
        ]
        a.messages = [*searched(rng, a.task), *edit, *tested(rng, a.task, True, name), said("SUBMIT")]
        a.answer = body
        a.correct, a.reward = float(killed >= 5), round(killed / 6, 4)
        a.terms, a.extra = {"mutants_killed": a.reward}, {"mutants": 6}
    return own(rng, grpo(attempts), "testwriter")
