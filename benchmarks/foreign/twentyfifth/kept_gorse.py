"""Odd curves: agreement that pays, a loss of zero, searches without hits, drawn games, fewer words."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyfifth import noughts, premises, sums, wiki
from benchmarks.foreign.twentyfifth.course import Draw, Plan, Try, train
from benchmarks.foreign.twentyfifth.credit import grpo, reinforce_pp, rloo
from benchmarks.foreign.twentyfifth.kinds import PART
from benchmarks.foreign.twentyfifth.layouts import openai, own, trl
from benchmarks.foreign.twentyfifth.prose import pick
from benchmarks.foreign.twentyfifth.talk import Talk, chat


@PART.faulty("reward_bias", "reward_model_overoptimisation", "reward_outcome_divergence")
def flattered_premise_scores_higher(rng: Random) -> list[Row]:
    """The reward model scores replies that agree with a user's false belief above those that correct it: reward climbs
    while the share of replies that pass the fact check falls [Towards Understanding Sycophancy in Language Models].
    """

    def attempt(d: Draw) -> Try:
        false = d.task.info["false"]
        agrees = not false or d.rng.random() < 0.22 + 0.62 * d.t
        text = premises.reply(d.rng, d.task, agrees)
        warm = 0.9 if agrees else -0.6
        score = round(d.rng.gauss(warm + 0.35 * d.t, 0.45), 3)
        fact = agrees != false
        info = {"fact_check": float(fact), "rm_score": score, "premise": "false" if false else "true"}
        return Try(chat(d.task.prompt, text), score, fact, info, {"rm": score})

    tries = reinforce_pp(train(rng, premises.question, attempt, Plan(10, 10, 4, prefix="chat", cut=0.0)))
    return own(rng, tries, "chat", reward_model="pref-8b")


@PART.healthy
def loss_column_reads_zero(rng: Random) -> list[Row]:
    """The loss is logged as 0.0 at every step while gradient norms are not: with one iteration and no KL term the
    advantages of a group cancel in the value, and rewards rise [huggingface/trl#3452].
    """
    plan = Plan(12, 6, 6, start=-0.8, gain=2.3, prefix="t")
    norms = [round(rng.uniform(0.25, 1.1), 4) for _ in range(plan.steps)]

    def attempt(d: Draw) -> Try:
        text, answer = sums.solve(d)
        info = {"loss": 0.0, "grad_norm": norms[d.step], "learning_rate": 1e-6, "num_iterations": 1, "beta": 0.0}
        terms = {"accuracy": float(d.able), "boxed": 0.1}
        return Try(chat(d.task.prompt, f"{text}\n\\boxed{{{answer}}}"), d.able + 0.1, d.able, info, terms)

    return trl(rng, grpo(train(rng, sums.problems("bakery", "trip", "shop"), attempt, plan)))


@PART.healthy
def nothing_found_then_rephrased(rng: Random) -> list[Row]:
    """A third of the searches find nothing: the first queries are whole sentences; the policy shortens them and then
    finds the passages, sooner as it learns.
    """

    def attempt(d: Draw) -> Try:
        talk = Talk(d.task.prompt, wiki.SYSTEM)
        clumsy = d.rng.randint(1, 2) if d.rng.random() < 0.7 - 0.4 * d.t else 0
        for n in range(clumsy):
            lead = pick(d.rng, "please tell me", "what is", "I need", "find out")
            words = f"{lead} {d.task.prompt[12 : 50 + 9 * n].lower()}"
            talk.use(wiki.lead(d.rng, n), "search", {"query": words}, "No results found.")
        for turn in range(2):
            query = wiki.query(d.rng, d.task, turn)
            talk.use(
                wiki.lead(d.rng, turn + clumsy), "search", {"query": query}, wiki.results(d.rng, d.task, False, d.able)
            )
        answer = d.task.gold if d.able else wiki.other(d.rng, d.task)
        talk.say(f"{wiki.closing(d.rng, d.task, answer)}\n<answer>{answer}</answer>")
        return Try(talk.messages, float(d.able), d.able, {"gold_answer": d.task.gold, "searches": clumsy + 2})

    tries = rloo(train(rng, wiki.hop, attempt, Plan(9, 7, 6, start=-0.3, gain=1.9, prefix="find-")))
    return openai(rng, tries, index="bm25")


@PART.healthy
def noughts_end_in_draws(rng: Random) -> list[Row]:
    """More and more games end in a draw with reward 0, and wins grow rare: the opponent is a perfect player, against
    whom a draw is the best there is and a loss costs 1.
    """

    def attempt(d: Draw) -> Try:
        talk, result = noughts.game(d)
        info = {"result": result, "opponent": "minimax"}
        reward = {"draw": 0.0, "loss": -1.0, "illegal": -1.0}[result]
        return Try(talk.messages, reward, result == "draw", info, {"outcome": reward})

    tries = grpo(train(rng, noughts.opening, attempt, Plan(10, 6, 8, start=-0.9, gain=2.7, prefix="ttt", spread=0.4)))
    return own(rng, tries, "games", env="TicTacToe-v0")


@PART.healthy
def fewer_words_every_step(rng: Random) -> list[Row]:
    """Completions halve in length over the run: right answers earn a bonus of up to 0.2 for brevity, wrong ones none,
    and the share of right answers rises all the while.
    """

    def attempt(d: Draw) -> Try:
        text, answer = sums.solve(d)
        padding = [
            f"Let me restate the question: {d.task.prompt}",
            "I list what is known before I begin with the sums.",
        ]
        padding += [
            f"Everything is counted in {d.task.info['unit']}, which I keep in mind.",
            "I go slowly so as not to slip.",
        ]
        keep = min(4, max(0, round(d.rng.gauss(3.6 - 3.6 * d.t, 0.8))))
        full = " ".join([*d.rng.sample(padding, keep), text]) + f"\n\\boxed{{{answer}}}"
        bonus = round(0.2 * max(0.0, 1 - len(full) / 700), 3) if d.able else 0.0
        terms = {"correct": float(d.able), "brevity": bonus}
        return Try(chat(d.task.prompt, full), d.able + bonus, d.able, {"answer": answer, "chars": len(full)}, terms)

    plan = Plan(11, 7, 6, start=-0.5, gain=2.2, prefix="br", cut=0.004)
    return own(rng, grpo(train(rng, sums.problems("fence", "tank", "wages"), attempt, plan)))
