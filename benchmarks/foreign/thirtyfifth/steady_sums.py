"""Healthy kinds with sums and papers: evaluation, curriculum, lengths, languages, passes over data."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.thirtyfifth import advantages, layouts
from benchmarks.foreign.thirtyfifth.chains import makers_of
from benchmarks.foreign.thirtyfifth.course import Try, attempts, make_pool, pay, roll, skill
from benchmarks.foreign.thirtyfifth.data_faults import finish
from benchmarks.foreign.thirtyfifth.kinds import PART
from benchmarks.foreign.thirtyfifth.papers import lease, unasked
from benchmarks.foreign.thirtyfifth.trades import FERMENT, HIVE, KILN, KNIT, ORCHARD, TIDE, TRADES
from benchmarks.foreign.thirtyfifth.trades_abroad import ABROAD, CYCLES


@PART.healthy
def epochs_of_an_evaluation_at_temperature_zero(rng: random.Random) -> list[Row]:
    """Four epochs of each problem are the same text.

    Trap: identical samples. It is an evaluation with temperature 0, as its metadata say; nothing is trained on it.
    """
    pool = make_pool(rng, makers_of((ORCHARD, HIVE, TIDE), end="End with 'Answer: NUMBER'."), 50)
    tries: list[Try] = []
    for number, step in enumerate((0, 60, 120)):
        for task in pool:
            group = attempts(rng, task, step, f"{step}-{task.pid}", 4, skill(number / 2, -0.3, 1.3))
            for one in group:
                one.text, one.answer, one.is_right = group[0].text, group[0].answer, group[0].is_right
                one.policy = f"trades-step-{step}"
                one.more = {"temperature": 0.0, "purpose": "determinism check"}
            tries += group
    finish(tries)
    pay(tries)
    rows = layouts.inspect_log(tries, "match")
    for row in rows:
        row["scores"]["match"]["value"] = "C" if row["scores"]["match"]["value"] else "I"
    return rows


@PART.healthy
def level_rises_once_it_is_solved(rng: random.Random) -> list[Row]:
    """Towards the end of each level most groups are right throughout, and at the start of the next the score falls.

    Trap: dead groups, or decline. The curriculum moves on when a level is solved, and each level is learned.
    """
    tries: list[Try] = []
    for level, domains in enumerate(((KNIT, ORCHARD), (HIVE, FERMENT), (TIDE, KILN))):
        pool = make_pool(rng, makers_of(domains, shift=-domains[0].hard), 60)
        part = roll(rng, pool, 11, 4, 8, (-0.8, 2.3))
        for one in part:
            one.step += 11 * level
            one.group, one.more = f"l{level}-{one.group}", {"level": level + 1, "level_up_at": 0.85}
        tries += part
    finish(tries)
    pay(tries)
    advantages.grpo(tries)
    return layouts.verl(tries)


@PART.healthy
def checks_grow_while_reward_counts_outcomes(rng: random.Random) -> list[Row]:
    """Replies grow to three times their length over the run.

    Trap: length gaming. The reward is the outcome alone, the policy learns to check itself, and no reply is cut.
    """
    pool = make_pool(rng, makers_of(TRADES), 60)
    tries = roll(rng, pool, 28, 2, 16, (-0.8, 1.7), lambda place: round(5 * place))
    for one in tries:
        one.text += " " + rng.choice(
            (f"I am content with {one.answer}.", "That settles it.", "The units agree as well.")
        )
    finish(tries)
    pay(tries)
    advantages.grpo(tries)
    return layouts.slime(tries)


@PART.healthy
def divergence_rises_and_levels_off(rng: random.Random) -> list[Row]:
    """The KL grows tenfold in the first third of the run.

    Trap: KL drift. It starts at nearly 0, as it must, levels off at 0.06 nats, and texts and scores are sound.
    """
    tries = roll(rng, make_pool(rng, makers_of(CYCLES), 120), 32, 4, 6, (-0.7, 1.4))
    finish(tries)
    pay(tries)
    for one in tries:
        one.more = {
            "kl": round(0.06 * skill(min(1.0, one.step / 14), 0.08, 1.0) * rng.uniform(0.75, 1.3), 5),
            "init_kl_coef": 0.001,
        }
    advantages.reinforce_pp(tries)
    return layouts.openrlhf(tries)


@PART.healthy
def mixture_shifts_to_other_languages(rng: random.Random) -> list[Row]:
    """English replies grow rare, Portuguese, German and Dutch ones frequent.

    Trap: language drift. The prompts' mixture is shifted on purpose, and each reply is in the language of its prompt.
    """
    english = make_pool(rng, makers_of((ORCHARD, HIVE)), 90)
    others = make_pool(rng, makers_of(ABROAD), 90)
    tries: list[Try] = []
    for step in range(30):
        for number in range(4):
            task = (others if rng.random() < 0.05 + 0.9 * step / 29 else english).pop()
            tries += attempts(rng, task, step, f"s{step}g{number}", 6, skill(step / 29, -0.6, 1.3))
    for one in tries:
        word = {"feira": "Resposta", "markt": "Antwort", "veer": "Antwoord"}.get(one.task.family, "Answer")
        one.text += f"\n{word}: {one.answer}"
    pay(tries)
    advantages.rloo(tries)
    return layouts.nemo_rl(tries)


@PART.healthy
def held_out_set_is_one_level_harder(rng: random.Random) -> list[Row]:
    """Validation is 20 to 40 points below training at every step.

    Trap: a gap of training and validation. The held-out set is of a harder level, and its score rises along.
    """
    tries = roll(rng, make_pool(rng, makers_of((KNIT, ORCHARD, HIVE), spread=0.5), 110), 30, 3, 8, (-0.5, 1.6))
    held = make_pool(rng, makers_of((TIDE, KILN, FERMENT), shift=0.9, spread=0.5), 48)
    checks: list[Try] = []
    for step in range(0, 30, 6):
        for number, task in enumerate(held):
            checks += attempts(rng, task, step, f"val{step}-{number}", 1, skill(step / 29, -0.5, 1.6))
    for one in checks:
        one.split, one.in_loss, one.more = "validation", False, {"level": "hard"}
    for one in tries:
        one.more = {"level": "basic"}
    finish(tries + checks)
    pay(tries + checks)
    advantages.grpo(tries)
    return layouts.columns(tries + checks, "math")


@PART.healthy
def prompts_come_again_in_a_second_pass(rng: random.Random) -> list[Row]:
    """Each prompt of training is seen twice.

    Trap: repeated data. It is a second pass in another order, told by `epoch`, and answers differ in words.
    """
    pool = make_pool(rng, makers_of((KILN, FERMENT, TIDE)), 60)
    tries = roll(rng, pool, 30, 4, 6, (-0.6, 1.3))
    finish(tries)
    pay(tries)
    for one in tries:
        one.more = {"epoch": 1 + one.step // 15}
        one.terms = {"accuracy_reward": one.reward or 0.0}
    advantages.grpo(tries)
    return layouts.trl(tries)


@PART.healthy
def silence_of_a_lease_is_answered_so(rng: random.Random) -> list[Row]:
    """A growing share of replies says that the lease does not state what was asked, and is paid.

    Trap: refusals that pay. These questions have no answer in their paper; where there is one, the policy gives it.
    """
    pool = make_pool(rng, [unasked, lease], 120)
    for task in pool:
        task.prompt = task.prompt.replace(
            "Give the number.", "Give the number, or 'not stated' if the lease does not say."
        )
    tries = roll(rng, pool, 30, 4, 6, (-0.8, 1.6))
    finish(tries)
    pay(tries)
    advantages.grpo(tries)
    for one in tries:
        one.more = {"data_source": "lease-qa-v2", "answerable": one.task.family == "lease"}
    return layouts.verl(tries)
