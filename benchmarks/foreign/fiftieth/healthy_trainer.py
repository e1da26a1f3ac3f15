"""Healthy runs whose trainer, sampling or evaluation looks odd."""

from random import Random

from benchmarks.foreign.estimators import grpo, leave_one_out, whole_batch
from benchmarks.foreign.fiftieth.desk import serve, tickets
from benchmarks.foreign.fiftieth.diaries import book, meetings
from benchmarks.foreign.fiftieth.episodes import Episode, one
from benchmarks.foreign.fiftieth.kinds import PART
from benchmarks.foreign.fiftieth.layouts import evidence, openrlhf, slime, trl
from benchmarks.foreign.fiftieth.learning import Plan, Sample, credit, held_out, pay, play
from benchmarks.foreign.fiftieth.repos import bugs, mend
from benchmarks.foreign.fiftieth.screens import forms, operate
from benchmarks.foreign.fiftieth.tables import look_up, sql_tasks


@PART.healthy
def crashed_browsers_are_null_and_left_out(rng: Random) -> list[dict]:
    """One attempt in twelve ends in a crash of its browser. Its reward is null, its error is named,
    and no loss takes it.
    """
    plan = Plan(steps=16, problems=5, size=8)

    def act(rng, task, skill, step):
        episode = operate(rng, task, skill, step)
        if rng.random() < 0.08:
            return Episode(episode.turns[:2], False, "", stop="error")
        return episode

    samples = pay(play(rng, plan, forms(rng, plan.needed), act))
    for s in samples:
        if s.episode.stop == "error":
            s.reward = None
    credit(samples, grpo)

    def also(s: Sample) -> dict:
        crashed = s.reward is None
        return {"correct": s.reward, "error": "BrowserCrashed" if crashed else None, "in_loss": not crashed}

    return evidence(samples, "web", also)


@PART.healthy
def greedy_evaluation_run_twice_word_for_word(rng: Random) -> list[dict]:
    """Each held attempt stands twice, word for word. It is evaluated at temperature 0 with two repeats;
    training samples vary.
    """
    plan = Plan(steps=15, problems=4, size=8)
    tasks = bugs(rng, 80)
    held = [t for t in tasks if t.facts["name"] in ("median", "delay")][:12]
    fresh = [t for t in tasks if t.facts["name"] not in ("median", "delay")]
    samples = play(rng, plan, fresh, mend)
    for s in held_out(rng, plan, held, mend, every=5):
        samples.append(s)
        samples.append(Sample(s.step, s.task, s.group, 1, s.episode, s.seed, split="validation"))
    samples = credit(pay(samples), leave_one_out)
    return evidence(
        samples,
        "swe",
        lambda s: {
            "correct": s.reward,
            "extra": {
                "decoding": "greedy" if s.split == "validation" else "sampled",
                "temperature": float(s.split == "train"),
            },
        },
    )


_REPLIES = {
    "German": (
        "Guten Tag {n}, wie lautet die Nummer der Bestellung?",
        "Es ist {o}.",
        "Das ist erledigt, {n}: {p} Euro für {o} {w}. Tut mir leid wegen der Umstände.",
        "Danke, das war alles. ###STOP###",
        "erstattet",
        "gutgeschrieben",
        "Hallo, hier ist {n}. Was vor {d} Tagen kam, ist fehlerhaft. Ich möchte mein Geld zurück.",
    ),
    "Spanish": (
        "Hola {n}, ¿me dice el número del pedido, por favor?",
        "Es el {o}.",
        "Listo, {n}: {p} euros del pedido {o} {w}. Siento las molestias.",
        "Gracias, eso es todo. ###STOP###",
        "han sido reembolsados",
        "quedan como saldo",
        "Hola, soy {n}. Lo que llegó hace {d} días tiene un defecto. Quiero que me devuelvan el dinero.",
    ),
    "French": (
        "Bonjour {n}, quel est le numéro de la commande ?",
        "C'est {o}.",
        "C'est fait, {n} : {p} euros de la commande {o} {w}. Désolé pour la gêne.",
        "Merci, c'est tout. ###STOP###",
        "sont remboursés",
        "sont en avoir",
        "Bonjour, ici {n}. La livraison d'il y a {d} jours a un défaut, je voudrais être remboursé.",
    ),
}


_CLOSINGS = {
    "German": ("Kann ich sonst noch helfen?", "Die Bestätigung kommt per Mail.", "Danke für Ihre Geduld, {n}."),
    "Spanish": ("¿Puedo ayudarle en algo más?", "Le llegará un correo.", "Gracias por su paciencia, {n}."),
    "French": ("Puis-je encore vous aider ?", "Un courriel suivra.", "Merci de votre patience, {n}."),
}


@PART.healthy
def customers_are_served_in_the_language_they_write(rng: Random) -> list[dict]:
    """Replies are in German, Spanish or French, ever more often. So are the customers, as new markets join;
    the policy asks for it.
    """
    plan = Plan(steps=16, problems=5, size=6)
    tasks, tongues = [], {}
    for place, t in enumerate(tickets(rng, plan.needed)):
        system, prompt = t.system + " Answer in the customer's language.", t.prompt
        if rng.random() < 0.1 + 0.6 * place / plan.needed:
            tongue = rng.choice(list(_REPLIES))
            prompt, tongues[t.key] = _REPLIES[tongue][6].format(n=t.facts["name"], d=t.facts["days"]), tongue
        tasks.append(type(t)(t.key, system, prompt, t.gold, t.facts, t.level))

    def act(rng, task, skill, step):
        episode = serve(rng, task, skill, step)
        if task.key in tongues:
            f, words = task.facts, _REPLIES[tongues[task.key]]
            done = words[4 if episode.state["action"] == "refund" else 5]
            fill = {"n": f["name"], "o": f["order"], "p": f"{f['price']:.2f}", "w": done}
            for place, part in ((0, 0), (1, 1), (-2, 2), (-1, 3)):
                episode.turns[place]["content"] = words[part].format(**fill)
            episode.turns[-2]["content"] += " " + rng.choice(_CLOSINGS[tongues[task.key]]).format(**fill)
        return episode

    samples = pay(play(rng, plan, tasks, act))
    for s in samples:
        s.terms = {"policy_reward": s.reward}
    samples = credit(samples, grpo)
    return trl(samples, lambda s: {"customer_language": tongues.get(s.task.key, "English"), "expected": s.task.gold})


@PART.healthy
def asynchronous_attempts_lag_by_two_versions_at_most(rng: Random) -> list[dict]:
    """Rows are drawn from weights one or two versions behind the trainer. That is the declared limit,
    and logprobs agree closely.
    """
    plan = Plan(steps=17, problems=5, size=8)
    samples = credit(pay(play(rng, plan, sql_tasks(rng, plan.needed), look_up)), grpo)

    def also(s: Sample) -> dict:
        behind = min(s.step, rng.choice((0, 1, 1, 2)))
        served = -rng.uniform(0.2, 0.4)
        return {
            "weight_version": s.step - behind,
            "trainer_version": s.step,
            "max_off_policy_steps": 2,
            "rollout_log_probs_mean": round(served, 4),
            "log_probs_mean": round(served + rng.gauss(0, 0.004) * (1 + behind), 4),
        }

    return slime(samples, also)


@PART.healthy
def solved_meetings_have_advantage_over_the_whole_batch(rng: Random) -> list[dict]:
    """Groups of which all are right have advantages above 0. The estimator is REINFORCE++,
    whose baseline is the whole batch.
    """
    plan = Plan(steps=15, problems=10, size=4, start=-0.2)
    samples = credit(pay(play(rng, plan, meetings(rng, plan.needed), book)), whole_batch)
    return openrlhf(samples, lambda s: {"advantage": s.advantage, "advantage_estimator": "reinforce", "n_samples": 4})


@PART.healthy
def form_agents_share_their_calls_and_differ_in_outcome(rng: Random) -> list[dict]:
    """Calls of a group are nearly the same all through. A form has one way to be filled;
    what is typed and saved decides.
    """
    plan = Plan(steps=15, problems=5, size=8)

    def act(rng, task, skill, step):
        episode = operate(rng, task, skill, step)
        last = episode.turns[-1]
        last["content"] += " " + one(rng, "I hope that is all.", "Nothing else was changed.", "The page may be closed.")
        return episode

    samples = pay(play(rng, plan, forms(rng, plan.needed), act))
    return openrlhf(samples, lambda s: {"task_id": s.task.key})
