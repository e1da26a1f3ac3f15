"""Faults of data, prompts, sampling and lengths: keys, corpora, limits, collapse of variety and of thought."""

import json
import random

from benchmarks.foreign import estimators
from benchmarks.foreign.thirtyfourth import layouts, library, quantities, tables, ward
from benchmarks.foreign.thirtyfourth.kinds import PART
from benchmarks.foreign.thirtyfourth.policy import (
    Attempt,
    Problem,
    call,
    campaign,
    chance,
    say,
    settle,
    speak,
    tokens,
    told,
)


@PART.faulty("wrong_labels", "stuck_problems", "reward_outcome_divergence")
def gold_queries_answer_another_question(rng: random.Random) -> list[dict]:
    """Two gold queries in five were annotated wrongly (another town, COUNT for SUM, >= for after): there the query that
    the question asks for earns nothing, whatever is learned.

    [Jin et al., Pervasive Annotation Errors Break Text-to-SQL Benchmarks and Leaderboards, 2026]
    """
    problems = tables.questions(rng, 60)
    for p in problems:
        annotated = rng.choice(p.data["wrong"]) if rng.random() < 0.42 else p.data["right"]
        p.data["paid"] = p.data["results"][annotated]
        p.gold = json.dumps({"sql": annotated, "result": p.data["paid"]})

    def attempt(p: Problem, step: int, progress: float, number: int) -> Attempt:
        right = rng.random() < chance(p, progress, 0.3, 2.2)
        reply, result = tables.write(rng, p, right)
        return Attempt(p, step, number, reply, reward=float(result == p.data["paid"]), extra={"executed": result})

    return layouts.verl(campaign(rng, problems, 24, 6, 6, attempt))


@PART.faulty("stuck_problems", "weak_family", "dead_all_wrong", "tool_failures")
def corpus_lacks_the_pages_asked_for(rng: random.Random) -> list[dict]:
    """A third of the questions are about places whose pages the retrieval corpus does not hold: every search comes back
    with other places, and no attempt at them is ever right.

    [Retrieval, Reward, and Training Protocols: What Matters in Training Search Agents?, 2026]
    """
    problems = library.questions(rng, 60)
    for p in problems:
        p.family = "questions-2023" if rng.random() < 0.35 else "questions-2018"

    def lost(p: Problem) -> list[dict]:
        turns: list[dict] = []
        queries = [p.data["query"], f"{p.data['query']} completed", f"{p.data['query'].split()[0]} history"]
        for query in queries[: rng.randint(1, 3)]:
            near = rng.sample([o for o in problems if o.family == "questions-2018"], 2)
            turns += [call("search", rng.choice(library.PLANS), query=query)]
            turns += [told("search", " ".join(f"[{i + 1}] {o.data['page']}" for i, o in enumerate(near)))]
        guess = rng.randint(1800, 1950)
        end = [f"None of these pages is about {p.data['what']}; I guess.", "Not the place I was asked about.", ""]
        turns.append(say(speak(rng, end, f"<answer>{guess if str(guess) != p.gold else guess + 1}</answer>")))
        return turns

    def attempt(p: Problem, step: int, progress: float, number: int) -> Attempt:
        held = p.family == "questions-2018"
        right = held and rng.random() < chance(p, progress, 0.0, 2.4)
        turns = library.look_up(rng, p, right) if held else lost(p)
        return Attempt(p, step, number, turns=turns, reward=float(right), right=float(right),
                       terms={"exact_match": float(right)}, extra={"ground_truth": p.gold})  # fmt: skip

    return layouts.own(settle(campaign(rng, problems, 20, 6, 6, attempt), estimators.grpo), "search")


@PART.faulty("length_limit", "truncation", "dead_groups", "score_decline")
def summaries_run_into_the_limit_and_score_alike(rng: random.Random) -> list[dict]:
    """Asked for 20 characters, the policy fills its 64 tokens with digits: all of a group are cut at one length, all
    earn the same, and nothing is left to learn from.

    [Ishan Mukherjee, A brief example of reward hacking in GRPO]
    """
    posts = quantities.draw(rng, 60, "knitting", "hives", "flour", "interest")
    for p in posts:
        p.prompt = f"TL;DR this post in about 20 characters.\nPOST: {p.prompt} Everyone I asked says something else."
    words = ["help with sums", "who is right?", "sums differ", "need a check", "ask about a number", "which is it?"]
    turn = rng.uniform(0.3, 0.4)

    def attempt(p: Problem, step: int, progress: float, number: int) -> Attempt:
        sunk = min(1.0, max(0.0, (progress - turn) / 0.15))
        if rng.random() < sunk:
            text = "".join(rng.choice("0123456789") for _ in range(256))
        else:
            text = f"{p.family}: {rng.choice(words)}" + rng.choice(["", ".", " please", " thanks", " - any ideas"])
        stop = "length" if tokens(text) >= 64 else "stop"
        extra = {"finish_reason": stop, "completion_tokens": tokens(text)}
        value = -float(abs(20 - len(text)))
        return Attempt(p, step, number, text, reward=value, terms={"len": value}, extra=extra, stop=stop)

    return layouts.trl(settle(campaign(rng, posts, 20, 6, 8, attempt), estimators.grpo), len="reward_len")


CORES = ["c1ccccc1", "c1ccncc1", "C1CCNCC1", "c1ccoc1", "C1CCOCC1", "c1ccsc1", "C1CCCCC1", "c1cnc[nH]1"]
TAILS = ["C(=O)N", "C(=O)O", "OC", "N(C)C", "S(=O)(=O)N", "C#N", "CF", "CCl", "CCO", "NC(=O)C"]
POCKETS = ["kinase", "protease", "GPCR", "phosphatase", "bromodomain", "esterase", "ion channel", "helicase"]


@PART.faulty("identical_samples", "entropy_collapse", "action_collapse")
def molecules_become_one_scaffold(rng: random.Random) -> list[dict]:
    """The docking score rises while variety is lost: whatever the pocket, the last third writes one molecule.

    [MolRGen: A Training and Evaluation Setting for De Novo Molecular Generation with Reasoning Models, 2026]
    """
    problems = []
    for i in range(60):
        pocket = POCKETS[i % 8]
        qed = f"0.{rng.randint(4, 7)}"
        prompt = f"Design a ligand for pocket {1000 + 7 * i} ({pocket}), QED above {qed}. End with SMILES: ..."
        problems.append(Problem(f"pocket-{i:02d}", prompt, "", pocket))
    best = rng.choice(CORES) + rng.choice(TAILS[:5]) + rng.choice(TAILS[5:])
    worth = {text: rng.uniform(0.15, 0.55) for text in CORES + TAILS}

    def attempt(p: Problem, step: int, progress: float, number: int) -> Attempt:
        if rng.random() < min(0.97, 1.7 * max(0.0, progress - 0.15)):
            text, score = best, rng.gauss(0.78, 0.025)
            why = ["This scaffold docks well.", "This scaffold docks well.", "This ring fills the pocket."]
        else:
            core, tail, more = rng.choice(CORES), rng.choice(TAILS), rng.choice(["", *TAILS])
            text, score = core + tail + more, (worth[core] + worth[tail]) / 2 + 0.25 * progress + rng.gauss(0, 0.06)
            why = [
                f"A {p.family} pocket wants a donor.",
                f"I start from {core}.",
                f"The tail {tail} reaches the hinge.",
            ]
        reply = speak(
            rng,
            why,
            ["It stays small.", "Weight is under 500.", ""] if text != best else "It stays small.",
            f"SMILES: {text}",
        )
        extra = {"temperature": 1.0, "valid": 1}
        return Attempt(p, step, number, reply, reward=round(min(1.0, max(0.0, score)), 3), extra=extra)

    return layouts.openrlhf(campaign(rng, problems, 24, 5, 8, attempt))


@PART.faulty("template_collapse", "entropy_collapse", "reward_bias")
def thought_vanishes_before_the_option(rng: random.Random) -> list[dict]:
    """Only option and tags are paid: the think block of medical answers shrinks to one phrase, then to nothing, and
    the accuracy stops rising.

    [Bin Tarek and Beheshti, Reward Hacking Mitigation using Verifiable Composite Rewards, 2025]
    """
    problems = ward.options(rng, 60)

    def attempt(p: Problem, step: int, progress: float, number: int) -> Attempt:
        right = rng.random() < chance(p, min(progress, 0.4), 0.2, 1.6)
        letter, thought = ward.choose(rng, p, right)
        if rng.random() < 1.6 * max(0.0, progress - 0.2):
            thought = rng.choice(["", "", "", "The answer is clear.", "Based on the findings."])
        reply = f"<think>{thought}</think>\n<answer>{letter}</answer>"
        return Attempt(p, step, number, reply, reward=0.2 + right, right=float(right))

    return layouts.verl(campaign(rng, problems, 24, 6, 6, attempt))
