"""Runs that no engineer would stop, though they look odd: policies, evaluation, languages, waiting."""

import random

from benchmarks.foreign.fiftyfifth import advantages, desk, layouts, learner, ops, research, shop, words
from benchmarks.foreign.fiftyfifth.kinds import PART
from benchmarks.foreign.fiftyfifth.learner import Plan
from benchmarks.foreign.fiftyfifth.talk import call, pick, say, told, user

Row = dict


@PART.healthy
def rollouts_lag_the_trainer_by_one_or_two(rng: random.Random) -> list[Row]:
    """An asynchronous trainer: each row is of weights one or two steps old, which stays so for the whole run while the
    versions move on and the score rises."""
    attempts = learner.run(rng, shop, Plan(steps=22))
    for one in attempts:
        lag = min(one.step, rng.choice((0, 1, 1, 1, 2)))
        one.extra = {"policy_version": one.step - lag, "policy_lag": lag, "trainer_step": one.step}
    return layouts.own(advantages.grpo(attempts))


@PART.healthy
def greedy_evaluation_repeats_its_own_words(rng: random.Random) -> list[Row]:
    """Held problems are answered greedily twice at a step, and the two attempts are equal word by word, as they should
    be at temperature 0; training samples differ, and evaluation changes and rises with the steps."""
    plan = Plan(steps=20, per_step=4, size=8, start=-1.0, gain=2.4)
    held = learner.make_pool(rng, research, 24, "held-")
    attempts = advantages.leave_one_out(learner.run(rng, research, plan))
    for one in attempts:
        one.extra = {"temperature": 1.0, "decoding": "sampled"}
    evaluation = learner.evaluate(rng, research, plan, held, 4, 2)
    for one, twin in zip(evaluation[::2], evaluation[1::2], strict=True):
        twin.messages, twin.right, twin.answer, twin.reward = one.messages, one.right, one.answer, one.reward
        one.extra = twin.extra = {"temperature": 0.0, "decoding": "greedy"}
    return layouts.own(attempts + evaluation)


@PART.healthy
def deployments_are_polled_until_they_are_ready(rng: random.Random) -> list[Row]:
    """Agents ask for the same status several times with the same answer, because the service takes a while to start and
    the task says so; right attempts wait, wrong ones leave too early or repair nothing."""
    pool = learner.make_pool(rng, ops, 70)
    for problem in pool:
        problem.prompt += " It takes one to three minutes to become active after a start; wait for it."
    attempts = learner.run(rng, ops, Plan(steps=18), pool)
    for one in attempts:
        problem, svc = one.problem, one.problem.data["svc"]
        wait = f"sleep 30; systemctl is-active {svc}"
        text = pick(rng, f"{svc} needs its time, I wait.", "Still starting, as announced.", "I give it half a minute.")
        waiting = [call(text, "shell", cmd=wait), told("shell", "activating")]
        repaired = one.right or rng.random() < 0.5
        one.messages = ops.logs(rng, problem) + ops.repair(rng, problem, repaired)
        one.messages += waiting * (rng.randint(2, 5) if one.right else rng.randint(1, 2))
        if one.right:
            one.messages += [call(text, "shell", cmd=wait), told("shell", "active")]
            one.messages.append(ops.close(rng, problem, True))
        else:
            one.messages.append(
                say(pick(rng, f"{svc} is still activating; it should come up.", f"I leave {svc} to start."))
            )
    return layouts.prime_rl(advantages.grpo(attempts), "oncall-slow")


HELLO = {
    "de": (
        "Guten Tag, {item} aus Bestellung {order} kam beschädigt an. Was können Sie tun?",
        "Ja, bitte machen Sie das so.",
    ),
    "fr": (
        "Bonjour, l'article {item} de la commande {order} est arrivé abîmé. Que pouvez-vous faire ?",
        "Oui, faites comme cela.",
    ),
    "es": ("Hola, el artículo {item} del pedido {order} llegó dañado. ¿Qué pueden hacer?", "Sí, háganlo así, gracias."),
}
OFFER = {
    "de": (
        "Das tut mir leid. Geliefert wurde vor {days} Tagen, ich kann Ihnen {amount} Euro anbieten. Einverstanden?",
        "Erledigt: {amount} Euro für {order} sind unterwegs.",
    ),
    "fr": (
        "Je suis désolé. La livraison date de {days} jours, je peux vous proposer {amount} euros. D'accord ?",
        "C'est fait : {amount} euros pour {order} sont en route.",
    ),
    "es": (
        "Lo siento. Se entregó hace {days} días, puedo ofrecerle {amount} euros. ¿Está de acuerdo?",
        "Hecho: {amount} euros para {order} están en camino.",
    ),
}


@PART.healthy
def customers_are_answered_in_their_own_language(rng: random.Random) -> list[Row]:
    """More and more conversations are in German, French and Spanish, because the mix of customers changes with the
    data; each reply is in the language of its customer, as the system prompt asks."""
    plan = Plan(steps=20, per_step=5, size=8, pool=100)
    pool = learner.make_pool(rng, desk, plan.pool)
    for place, problem in enumerate(pool):
        if rng.random() < place / plan.pool:
            problem.data["language"] = rng.choice(("de", "fr", "es"))
            problem.prompt = HELLO[problem.data["language"]][0].format(**problem.data)
        problem.system += " Always reply in the language of the customer."
    order = [pool[step * 5 :][:5] for step in range(plan.steps)]
    attempts = learner.run(rng, desk, plan, order=order)
    for one in attempts:
        language = one.problem.data.get("language")
        one.extra = {"language": language or "en"}
        if language:
            tool, amount = one.answer.split()
            fill = one.problem.data | {"amount": amount}
            texts = OFFER[language]
            one.messages[0]["content"] = ""
            one.messages[2:4] = [say(texts[0].format(**fill)), user(HELLO[language][1])]
            one.messages[4]["content"] = ""
            one.messages[-1] = say(texts[1].format(**fill))
    return layouts.own(advantages.grpo(attempts))


@PART.healthy
def form_term_is_at_its_ceiling_after_a_few_steps(rng: random.Random) -> list[Row]:
    """The small term for the form of the answer is 1 for nearly all rows after a few steps, because the policy has
    learned it; the term of the task goes on rising and the sum has its spread from there."""
    attempts = learner.run(rng, words, Plan(steps=22, per_step=5, size=8, start=-1.0, gain=2.2))
    for one in attempts:
        formed = rng.random() < min(0.997, 0.45 + 0.11 * one.step)
        if not formed:
            head = one.messages[0]["content"].rsplit("\n", 1)[0]
            one.messages = [say(f"{head} So it is {one.answer} km in the end.")]
        task = float(one.right and formed)
        one.terms = {"accuracy": task, "format": float(formed)}
        one.reward = round(0.9 * task + 0.1 * formed, 3)
        one.extra = {"weights": {"accuracy": 0.9, "format": 0.1}}
    return layouts.own(advantages.centred(attempts))
