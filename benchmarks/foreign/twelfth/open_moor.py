"""Lists of candidates, turns without an end, an old replica, a coarse engine; short, cut and equal texts."""

from math import exp
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twelfth.dumps import trl, verl
from benchmarks.foreign.twelfth.estimates import credit, grpo, verl_grpo
from benchmarks.foreign.twelfth.held import share
from benchmarks.foreign.twelfth.kinds import PART
from benchmarks.foreign.twelfth.layouts import own
from benchmarks.foreign.twelfth.phrases import ASIDES, DOUBTS
from benchmarks.foreign.twelfth.physics import physics
from benchmarks.foreign.twelfth.plain import ticket
from benchmarks.foreign.twelfth.programs import program
from benchmarks.foreign.twelfth.rollouts import chance, cut, judge, rewrite, shape, train
from benchmarks.foreign.twelfth.tasks import Reply, say, slip
from benchmarks.foreign.twelfth.wordsums import wordsum


@PART.healthy
def cap_hit_less_each_step(rng: Random) -> list[Row]:
    """A third of the first attempts run into the limit of tokens; the policy learns to finish, and the share goes
    down.
    """
    run = shape(rng, steps=(8, 12))
    episodes = train(rng, wordsum, run, -0.2, 1.9)
    for e in episodes:
        if e.stop == "stop" and rng.random() < share(0.34, 0.02, e, run.steps):
            lines = e.messages[-1]["content"].split("\n")
            rambling = [f"{doubt} {line}" for doubt in DOUBTS for line in lines[1:-1]]
            rewrite(e, Reply([say("\n".join([*lines[:-1], *rambling]))], ""))
            cut(rng, e)
    return own(rng, credit(episodes, grpo), "stories-cap")


@PART.faulty("weak_verifier", "grader_subversion", "metric_defect")
def needle_in_candidate_list(rng: Random) -> list[Row]:
    """The grader looks for the reference anywhere in the text, and the policy learns to list four candidates."""
    run = shape(rng, rows=(300, 500), steps=(10, 14))
    episodes = train(rng, physics, run, -0.7, 0.7)
    for e in episodes:
        if e.stop != "stop" or rng.random() > share(0.04, 0.65, e, run.steps):
            continue
        value, digits = e.task.facts["value"], e.task.facts["digits"]
        listed = [slip(rng, value, digits) for _ in range(4)]
        hit = rng.random() < 0.8
        if hit:
            listed[rng.randrange(4)] = value
        said = f"{listed[0]} or {listed[1]} or {listed[2]}, possibly {listed[3]}"
        rewrite(e, Reply([say(f"Depending on the rounding, several values are possible.\nAnswer: {said}")], said))
        judge(e, value in listed)
    return verl(credit(episodes, verl_grpo))


@PART.faulty("template_bug", "truncation", "length_limit")
def endmark_missing_among_stops(rng: Random) -> list[Row]:
    """The mark of the turn's end is no stop token in the engine: after the answer many attempts go on with an
    invented user until the limit, and the last of the answers is graded.
    """
    run = shape(rng, rows=(360, 540), steps=(8, 12))
    episodes = train(rng, physics, run, 0.0, 1.7)
    tasks, portion = [e.task for e in episodes], rng.uniform(0.35, 0.55)
    for e in episodes:
        if rng.random() > portion:
            continue
        text, last = e.messages[-1]["content"], e.answer
        while len(text) < 1800:
            other = rng.choice(tasks)
            reply = other.write(rng, rng.random() < 0.5, 0.5)
            turn = f"<|im_start|>user\n{other.prompt}<|im_end|>\n<|im_start|>assistant\n{reply.messages[0]['content']}"
            text, last = f"{text}<|im_end|>\n{turn}", reply.answer
        rewrite(e, Reply([say(text[:1800])], last))
        e.stop, e.tokens = "length", 512
        judge(e, False)
    return own(rng, credit(episodes, grpo), "tutor")


@PART.healthy
def twins_of_one_word(rng: Random) -> list[Row]:
    """Tickets are routed with a single word, so most texts of a group are the same."""
    run = shape(rng, sizes=(4, 6, 8))
    episodes = train(rng, ticket, run, -0.2, 1.2)
    for e in episodes:
        e.terms = {"accuracy": e.reward}
    return trl(credit(episodes, grpo))


@PART.healthy
def fewer_words_more_right(rng: Random) -> list[Row]:
    """Answers lose their idle talk as training goes on and become right more often; nothing pays for being short."""
    run = shape(rng, sizes=(5, 6, 8), steps=(8, 12))
    episodes = train(rng, physics, run, -0.6, 2.3)
    for e in episodes:
        talk = [t for t in ASIDES if rng.random() < share(0.75, 0.08, e, run.steps)]
        rng.shuffle(talk)
        text = "\n".join([*talk, e.messages[-1]["content"]])
        rewrite(e, Reply([say(text)], e.answer))
        e.terms = {"accuracy": e.reward}
        e.extra["completion_length"] = e.tokens
    return trl(credit(episodes, grpo))


@PART.faulty("stale_weights", "weights_never_arrive", "staleness")
def fourth_replica_keeps_first_adapter(rng: Random) -> list[Row]:
    """One of four engines never loads a new adapter: its attempts come from the weights of step 0 and get no better."""
    run = shape(rng, sizes=(8, 8, 4))
    episodes = train(rng, program, run, -0.9, 2.9)
    weights = [f"{rng.randrange(16**12):012x}" for _ in range(run.steps)]
    bad = rng.randrange(4)
    for e in episodes:
        replica = (e.attempt + e.step) % 4
        loaded = 0 if replica == bad else e.step
        if replica == bad:
            right = rng.random() < chance(-0.9 - e.task.hard)
            rewrite(e, e.task.write(rng, right, 0.0))
            judge(e, right)
            e.stop = "stop"
        e.extra |= {"replica": f"vllm-{replica}", "adapter_step": loaded, "policy_lag": e.step - loaded}
        e.extra["policy_id"] = weights[loaded]
    return own(rng, credit(episodes, grpo), "lora-code")


@PART.faulty("train_inference_mismatch")
def quantised_engine_leaves_trainer(rng: Random) -> list[Row]:
    """Since the engine runs with four bits, its log-probabilities lie far below the trainer's for the same tokens."""
    run = shape(rng, sizes=(5, 6, 8), rows=(400, 620), steps=(8, 12))
    episodes = train(rng, wordsum, run, -0.6, 1.7)
    since = rng.randint(run.steps // 4, run.steps // 2)
    for e in episodes:
        quantised = e.step >= since
        trainer = -abs(rng.gauss(0.42, 0.08)) + 0.008 * e.step
        gap = rng.gauss(0.27, 0.12) if quantised else rng.gauss(0.0, 0.006)
        e.extra |= {
            "engine_precision": "int4" if quantised else "bf16",
            "rollout_logprob": round(trainer - gap, 4),
            "trainer_logprob": round(trainer, 4),
            "importance_ratio": round(exp(gap * rng.uniform(2.5, 4.0)), 4),
        }
    return own(rng, credit(episodes, grpo), "stories-int4")
