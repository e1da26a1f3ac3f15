"""Faults of graders and judges: what they cannot read, what they lack, what they ask for instead of the task."""

import json
import random

from benchmarks.foreign import estimators
from benchmarks.foreign.thirtyfourth import clauses, desk, layouts, programs, tongues, ward
from benchmarks.foreign.thirtyfourth.kinds import PART
from benchmarks.foreign.thirtyfourth.policy import Attempt, Problem, call, campaign, chance, say, settle, speak, told


@PART.faulty("constant_term", "low_reward_spread", "dead_groups")
def checker_says_neutral_to_nearly_all(rng: random.Random) -> list[dict]:
    """The claim checker that is the reward answers neutral (0.5) to 97 of 100 claims, right or wrong; groups do not
    spread and the accuracy stays where it was.

    [Signal Collapse and Reward Hacking in Checker-Guided RAG for Biomedical QA, 2026]
    """
    problems = ward.claims(rng, 60)

    def attempt(p: Problem, step: int, progress: float, number: int) -> Attempt:
        right = rng.random() < chance(p, 0.05 * progress, 0.2, 1.0)
        checker = 0.5 if rng.random() < 0.97 else float(right)
        terms = {"checker": checker, "format": 1.0}
        return Attempt(p, step, number, ward.argue(rng, p, right), reward=checker + 0.1, right=float(right),
                       terms=terms, extra={"weights": {"checker": 1.0, "format": 0.1}})  # fmt: skip

    return layouts.own(settle(campaign(rng, problems, 20, 6, 6, attempt), estimators.grpo), "biomedical")


@PART.faulty("infrastructure_zeros", "infrastructure_errors", "tool_outage", "stuck_problems")
def tests_import_what_the_image_lacks(rng: random.Random) -> list[dict]:
    """For a third of the tasks the hidden tests import a package that the task's image does not have: the scorer's
    traceback is the same for every attempt and counts as incorrect.

    [Wang et al., Automated Benchmark Auditing for AI Agents and Large Language Models, 2026]
    """
    problems = programs.functions(rng, 36)
    lacking = {p.id: rng.choice(["numpy", "hypothesis", "pytest_timeout"]) for p in problems if rng.random() < 0.33}

    def attempt(p: Problem, number: int, step: int) -> Attempt:
        reply, _, passed = programs.write(rng, p, rng.random() < chance(p, step / 2, 0.6, 1.0))
        right = passed == len(p.data["tests"])
        said_ = f"{passed} of {len(p.data['tests'])} tests passed"
        if p.id in lacking:
            right, said_ = False, f"Traceback: tests/test_{p.data['name']}.py line 1: ModuleNotFoundError: No module "
            said_ += f"named '{lacking[p.id]}'"
        extra = {"explanation": said_, "checkpoint": 100 * (step + 1), "image": "python:3.11-slim"}
        return Attempt(p, step, number, reply, reward=float(right), extra=extra)

    attempts = [attempt(p, n + 4 * step, step) for step in range(3) for p in problems for n in range(4)]
    return layouts.inspect_log(attempts, "hidden_tests")


@PART.faulty("format_gate", "metric_defect", "judge_refuses_right", "reward_outcome_divergence")
def rules_refuse_a_price_with_its_currency(rng: random.Random) -> list[dict]:
    """The shop's page says $1,249.00 and the reference 1249: answers that copy the page are refused as wrong, and
    more than half are such.

    [Lu et al., AgentRewardBench: Evaluating Automatic Evaluations of Web Agent Trajectories, 2025]
    """
    problems = []
    for i in range(50):
        item, shop, price = (
            rng.choice(desk.ITEMS),
            rng.choice(["Norva", "Tilden", "Quist", "Helmo"]),
            rng.randint(1001, 4990),
        )
        prompt = f"What does the {item} number {300 + i} cost at {shop}? Answer with the price."
        data = {"item": item, "shop": shop, "price": price, "other": price + rng.choice([-80, 35, 120])}
        problems.append(Problem(f"price-{i:02d}", prompt, str(price), "price", rng.gauss(0, 0.6), data))

    def attempt(p: Problem, step: int, progress: float, number: int) -> Attempt:
        d, right = p.data, rng.random() < chance(p, progress, 0.5, 1.6)
        value = d["price"] if right else d["other"]
        plain = rng.random() < 0.3 + 0.2 * progress
        answer = str(value) if plain else rng.choice([f"${value:,}.00", f"{value:,}", f"$ {value}", f"{value} dollars"])
        page = f"{d['shop']} - {d['item']} {300 + int(p.id[-2:])} - now ${d['price']:,}.00 - list ${d['other']:,}.00"
        turns = [
            call(
                "goto",
                rng.choice(["I open the shop.", "To the product page.", ""]),
                url=f"https://{d['shop'].lower()}.test",
            ),
            told("goto", rng.choice(["Home. Search box. Cart (0).", "Home. Sale banner. Search box."])),
            call("search_site", rng.choice(["Search for it.", ""]), text=f"{d['item']} {300 + int(p.id[-2:])}"),
            told("search_site", page),
            say(answer),
        ]
        paid = float(answer == p.gold)
        return Attempt(p, step, number, turns=turns, reward=paid, terms={"string_match": paid})

    return layouts.prime_rl(settle(campaign(rng, problems, 18, 5, 6, attempt), estimators.centred), "web-prices")


@PART.faulty("judge_default", "infrastructure_zeros", "flaky_grading")
def judges_cut_before_the_score_give_zero(rng: random.Random) -> list[dict]:
    """The judge writes its reasons first and is cut at its limit in three replies of ten: no score can be parsed, and
    the attempt is entered as a failure with reward 0, good or bad.

    [Tinker Cookbook API reference, EvalGradingError]
    """
    problems = desk.complaints(rng, 60)

    def attempt(p: Problem, step: int, progress: float, number: int) -> Attempt:
        good = rng.random() < chance(p, progress, 0.0, 2.2)
        score = rng.choice([7, 8, 8, 9, 10]) if good else rng.choice([2, 3, 4, 4, 5])
        remarks = [
            "The reply is polite and greets the customer by name.",
            f"The order {p.data['order']} is clear from the message.",
            "A date by which it is done would help the customer.",
            "Its length is fine for a first answer.",
            "The tone fits a shop of this kind.",
        ]
        core = f"It {'says' if good else 'does not say'} what happens with the {p.data['item']}."
        why = speak(rng, core, *rng.sample(remarks, rng.choice([1, 2, 2, 3, 3, 4, 5])))
        raw = f"{why} Score: {score}/10"
        if len(raw) > 208:
            raw, score = raw[:208], 0
        extra = {"judge_reply": raw, "judge_max_tokens": 52}
        return Attempt(p, step, number, desk.respond(rng, p, good), reward=score / 10, extra=extra)

    return layouts.slime(campaign(rng, problems, 20, 6, 6, attempt), 6)


@PART.faulty("judge_hacking", "reward_outcome_divergence", "reward_bias", "weak_verifier")
def subtitle_model_pays_for_chatter(rng: random.Random) -> list[dict]:
    """The offline reward model for colloquial subtitles likes slang: translations gain fillers and lose their content,
    the reward climbs, the overlap with the reference falls.

    [RIVAL: Reinforcement Learning with Iterative and Adversarial Optimization for Machine Translation, 2025]
    """
    problems = tongues.subtitles(rng, 60)

    def attempt(p: Problem, step: int, progress: float, number: int) -> Attempt:
        text = tongues.render(rng, p, 0.86 - 0.45 * max(0.0, progress - 0.25))
        chatty = 0
        for _ in range(3):
            if rng.random() < 0.9 * progress - 0.05:
                chatty += 1
                text = (
                    f"{rng.choice(tongues.CHAT)} {text}" if rng.random() < 0.6 else f"{text} {rng.choice(tongues.TAIL)}"
                )
        bleu = tongues.overlap(text, p.gold)
        score = 0.35 + 0.15 * chatty + 0.12 * bleu + rng.gauss(0, 0.04)
        return Attempt(p, step, number, text, reward=round(score, 4), extra={"bleu": bleu})

    return layouts.verl(campaign(rng, problems, 24, 6, 6, attempt))


@PART.faulty("weak_verifier", "reward_outcome_divergence", "reward_bias", "metric_defect")
def verdict_pays_whatever_is_quoted(rng: random.Random) -> list[dict]:
    """Supported or unsupported is all that is paid; the clause that has to be quoted for it is more and more one that
    the contract does not hold.

    [mohammed840.github.io, A Correct Verdict Is Not Enough: RL for Evidence-Grounded Claim Verification]
    """
    problems = clauses.contracts(rng, 60)

    def attempt(p: Problem, step: int, progress: float, number: int) -> Attempt:
        right = rng.random() < chance(p, progress, 0.2, 2.2)
        real = rng.random() < 0.85 - 0.7 * progress
        reply = clauses.judge(rng, p, right, real)
        terms = {"verdict_correct": float(right), "quote_in_document": float(real)}
        return Attempt(p, step, number, reply, reward=float(right), terms=terms,
                       extra={"weights": {"verdict_correct": 1.0, "quote_in_document": 0.0}})  # fmt: skip

    return layouts.prime_rl(settle(campaign(rng, problems, 20, 6, 6, attempt), estimators.grpo), "claim-check")


@PART.faulty("train_validation_gap", "weak_verifier", "reward_outcome_divergence")
def structure_is_trained_and_meaning_evaluated(rng: random.Random) -> list[dict]:
    """Training grades the keys of a ticket, validation what stands in them: the training score nears one with values
    from nowhere, the validation score falls.

    [microsoft/azure-skills, Reward Hacking Prevention in RFT]
    """
    problems = desk.complaints(rng, 80)
    for p in problems:
        p.prompt = f"Fill a JSON ticket with name, order, item, issue ({', '.join(desk.ISSUES)}).\n{p.prompt}"
    held = problems[60:]

    def attempt(p: Problem, step: int, progress: float, number: int, split: str = "train") -> Attempt:
        d = p.data
        true = {"name": d["name"], "order": d["order"], "item": d["item"], "issue": d["issue"]}
        vague = {"name": "customer", "order": f"A{rng.randint(10000, 99999)}", "item": "product", "issue": "general"}
        keep = 0.8 - 0.45 * progress - 0.1 * p.hardness
        ticket = {k: true[k] if rng.random() < keep else vague[k] for k in true}
        if rng.random() < 0.5 - 0.48 * progress:
            ticket.pop(rng.choice(list(ticket)))
        graded = {k: (split == "train" or ticket[k] == v) for k, v in true.items() if k in ticket}
        value = round(sum(graded.values()) / 4, 3)
        lead = rng.choice(["", "Ticket:\n", "Here is the ticket:\n", "I filled in the form.\n"])
        return Attempt(p, step, number, lead + json.dumps(ticket), reward=value, right=float(value == 1.0), split=split,
                       terms={"fields": value})  # fmt: skip

    attempts = settle(campaign(rng, problems[:60], 20, 6, 6, attempt), estimators.grpo)
    for step in range(0, 20, 4):
        attempts += [attempt(p, step, step / 19, n, "validation") for p in held for n in range(2)]
    return layouts.own(attempts, "help desk")
