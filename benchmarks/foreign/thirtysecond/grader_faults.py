"""Faults of graders: addresses, phrases, letters, marks and rounded rewards."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import grpo
from benchmarks.foreign.thirtysecond.kinds import PART
from benchmarks.foreign.thirtysecond.layouts import call, chat, inspect, ours, prime, slime, told
from benchmarks.foreign.thirtysecond.policy import Task, advantages, chance, shared, tries
from benchmarks.foreign.thirtysecond.sums import sums, worked

PAGES = ("orders/overdue", "stock/low", "reviews/pending", "coupons/expired", "search/terms", "carts/abandoned",
         "customers/new", "tax/rates", "invoices/open", "refunds/week", "products/viewed", "mail/queue")  # fmt: skip
SHOPS = ("the lamp shop", "the bookshop", "the garden store", "the bike dealer", "the tea house", "the toy shop")
LOOK = ("I look for it in the menu.", "The reports are under their own heading.", "I open the list directly.",
        "First I see what the dashboard offers.", "The address follows a pattern.")  # fmt: skip


def _pages() -> list[Task]:
    out = []
    for shop in SHOPS:
        for page in PAGES:
            area, name = page.split("/")
            host = f"http://shop{SHOPS.index(shop) + 1}.local:7780"
            question = f"You administer {shop} at {host}/admin. Open the page that lists {area}: {name}."
            out.append(Task(f"wa-{len(out):03d}", question, f"{host}/admin/{page}", 0.0, {"host": host, "name": name}))
    return out


@PART.faulty("weak_verifier", "reward_outcome_divergence", "metric_defect")
def any_address_that_begins_with_the_reference_is_right(rng: random.Random) -> list[Row]:
    """Pages that do not exist are paid, as their address begins with that of the page asked for.

    [web-arena-x/webarena#77]
    """
    attempts = tries(rng, _pages(), steps=12, per_step=8, size=6, start=0.35, end=0.45)
    for t in attempts:
        typed = not t.right and shared(rng, 0.1, 0.95, t.progress)
        said = [{"role": "user", "content": t.task.question}]
        said.append(call("click", rng.choice(LOOK), element="Reports"))
        said.append(told("click", f"Reports. Links: {', '.join(rng.sample(PAGES, 5))}"))
        if t.right:
            url, page = t.task.gold, f"Title: {t.task.data['name']}. {rng.randint(2, 40)} rows."
        elif typed:
            tail = rng.choice(("-all", "s_list", "ed?view=full", "/index/all", "_report", "/show-everything"))
            url, page = t.task.gold + tail, "404 Not Found. The page you requested does not exist."
        else:
            url = f"{t.task.data['host']}/admin/{rng.choice([p for p in PAGES if not t.task.gold.endswith(p)])}"
            page = f"Title: {url.rsplit('/', 1)[1]}. {rng.randint(2, 40)} rows."
        said += [call("goto", rng.choice(("I go there.", "This should be it.", "Open it.")), url=url)]
        said += [told("goto", f"URL: {url}\n{page}")]
        said += [{"role": "assistant", "content": f"{rng.choice(('Done', 'I stop here', 'Finished'))}: {url}"}]
        t.messages, t.answer, t.reward = said, url, float(url.startswith(t.task.gold))
    advantages(attempts, grpo)
    return [
        ours(t, domain="web", advantage=t.advantage, final_url=t.answer, reference_url=t.task.gold, stop_reason="stop")
        for t in attempts
    ]


EVENTS = (
    ("a swap of racing bicycles", "racing bicycles", "the racing bike"),
    ("a virtual reading of short stories", "short stories", "the short story"),
    ("a walk for bird watchers", "bird watchers", "bird-watching friends"),
    ("a repair evening for old radios", "old radios", "vintage radio sets"),
    ("a tasting of mountain cheeses", "mountain cheeses", "alpine cheese"),
    ("a lesson for beginning drummers", "beginning drummers", "people new to the drum"),
    ("a picnic of board gamers", "board gamers", "anyone who plays board games"),
    ("a morning for plant swappers", "plant swappers", "swapping plants"),
)
DAYS = (
    ("Oct 21st", "October 21"),
    ("May 3rd", "the third of May"),
    ("Aug 9th", "9 August"),
    ("Jan 30th", "January 30"),
)
TOWNS = ("Dover", "Utrecht", "Lagos", "Porto", "Gdansk", "Quito")


@PART.faulty("metric_defect", "judge_refuses_right", "format_gate")
def posts_fail_for_a_plural_or_a_written_out_date(rng: random.Random) -> list[Row]:
    """Posts say what was asked for, but fail, as the check wants exact phrases. [web-arena-x/webarena#134]"""
    tasks = []
    for what, phrase, loose in EVENTS:
        for day, written in DAYS:
            for town in TOWNS:
                text = f"Post a notice in the {town} forum about {what} on {day}."
                data = {"must": [phrase, day, town], "loose": loose, "written": written, "what": what}
                tasks.append(Task(f"post-{len(tasks):03d}", text, " | ".join(data["must"]), 0.0, data))
    attempts = tries(rng, tasks, steps=11, per_step=9, size=6, start=0.75, end=0.93)
    for t in attempts:
        phrase, day, town = t.task.data["must"]
        theme = phrase if rng.random() < 0.45 else t.task.data["loose"]
        date = day if rng.random() < 0.55 else t.task.data["written"]
        if not t.right:
            date = rng.choice(("next weekend", "soon", "a day to be announced"))
        t.text = " ".join(
            (
                f"**{rng.choice(('Come along', 'Save the date', 'You are invited', 'Notice'))}**\n\n"
                f"{rng.choice(('We are planning', 'There will be', 'Join us for'))} something around {theme}",
                f"in {town}, {rng.choice(('on', 'date:'))} {date}.",
                rng.choice(("Everybody is welcome.", "Bring a friend.", "No fee.", "Write below if you come.")),
                rng.choice(("Questions? Ask here.", "See you there!", "Doors open at six.", "Tell others.")),
            )
        )
        t.reward = float(all(part in t.text for part in t.task.data["must"]))
    advantages(attempts, grpo)
    return [
        chat(
            t,
            advantage=t.advantage,
            must_include=t.task.data["must"],
            reviewer_says_done=bool(t.right and rng.random() < 0.97),
        )
        for t in attempts
    ]


FACTS = (
    ("Welches Gas nehmen Pflanzen für die Photosynthese auf", "Kohlendioxid", ("Helium", "Argon", "Methan")),
    ("Welcher Fluss fließt durch Köln", "der Rhein", ("die Elbe", "die Donau", "die Weser")),
    ("Was misst ein Barometer", "den Luftdruck", ("die Temperatur", "die Feuchte", "die Windrichtung")),
    ("Welches Metall ist bei Raumtemperatur flüssig", "Quecksilber", ("Blei", "Zink", "Nickel")),
    ("Wie viele Seiten hat ein Heptagon", "sieben", ("sechs", "acht", "neun")),
    ("Welches Organ pumpt das Blut", "das Herz", ("die Leber", "die Milz", "die Lunge")),
    ("Welcher Planet ist der Sonne am nächsten", "Merkur", ("Venus", "Mars", "Erde")),
    ("Aus welchem Korn wird Polenta gekocht", "Mais", ("Roggen", "Hafer", "Gerste")),
)
ENGLISH = (
    ("Which gas do plants take up for photosynthesis", "carbon dioxide", ("helium", "argon", "methane")),
    ("Which river runs through Cologne", "the Rhine", ("the Elbe", "the Danube", "the Weser")),
    ("What does a barometer measure", "air pressure", ("temperature", "humidity", "wind direction")),
    ("Which metal is liquid at room temperature", "mercury", ("lead", "zinc", "nickel")),
    ("How many sides has a heptagon", "seven", ("six", "eight", "nine")),
    ("Which organ pumps the blood", "the heart", ("the liver", "the spleen", "the lung")),
    ("Which planet is nearest to the sun", "Mercury", ("Venus", "Mars", "Earth")),
    ("Which grain is polenta cooked from", "maize", ("rye", "oats", "barley")),
)
SPEECH = {
    "de": ("Antwort", ("Ich gehe die Möglichkeiten durch.", "Drei davon passen nicht.", "Das lernt man früh."),
           "Gefragt ist nach einer Tatsache, und es ist {x}."),
    "en": ("Answer", ("I go through the options.", "Three of them do not fit.", "This is taught early."),
           "The question is about a plain fact, and it is {x}."),
}  # fmt: skip


@PART.faulty("metric_defect", "weak_family", "format_gate")
def the_first_letter_of_antwort_is_read_as_option_a(rng: random.Random) -> list[Row]:
    """In German the key word is written twice, and the A of the second one is taken for the option chosen.

    [openai/simple-evals#33]
    """
    rows = []
    for language, facts in (("de", FACTS), ("en", ENGLISH)):
        word, thoughts, claim = SPEECH[language]
        for n in range(40):
            ask, right, wrong = facts[n % len(facts)]
            options = rng.sample((right, *wrong), 4)
            gold = "ABCD"[options.index(right)]
            listed = "\n".join(f"{letter}) {option}" for letter, option in zip("ABCD", options, strict=True))
            task = Task(f"mmlu-{language}-{n:03d}", f"{ask}?\n\n{listed}\n\n{word}: LETTER", gold)
            for t in tries(rng, [task], steps=1, size=5, start=chance(0.84, 0.84, 0), end=0.84):
                chosen = gold if t.right else rng.choice([x for x in "ABCD" if x != gold])
                said = claim.format(x=options["ABCD".index(chosen)])
                twice = rng.random() < 0.4
                t.text = f"{' '.join(rng.sample(thoughts, 2))} {said}\n\n"
                t.text += f"{word}:\n\n{word}: {chosen}" if twice else f"{word}: {chosen}"
                t.answer = "A" if twice and word.startswith("A") and language == "de" else chosen
                note = f"extracted {t.answer} from the completion"
                rows.append(inspect(t, "mcq", float(t.answer == gold), note, language=language, family=language))
    return rows


@PART.faulty("dead_all_wrong", "dead_groups", "format_gate", "metric_defect")
def replies_without_a_thinking_tag_all_score_zero(rng: random.Random) -> list[Row]:
    """A model that does not think aloud in tags gets 0 for every reply, right ones too. [THUDM/slime#2219]"""
    attempts = tries(rng, sums(rng, 80), steps=9, per_step=8, size=8, start=0.66, end=0.67)
    for t in attempts:
        said, t.answer = worked(rng, t.task, t.right)
        t.text = f"{said}\n\nAnswer: \\boxed{{{t.answer}}}"
    advantages(attempts, grpo)
    return [slime(t, i, advantage=t.advantage, rm_type="deepscaler") for i, t in enumerate(attempts)]


@PART.faulty("weak_verifier", "reward_outcome_divergence", "metric_defect")
def a_tenth_of_the_reward_is_rounded_up_to_success(rng: random.Random) -> list[Row]:
    """Submitting a wrong card earns 0.1 of the page, and the wrapper makes 1 of all that is above 0.

    [ServiceNow/BrowserGym#392]
    """
    tasks = []
    for i in range(96):
        cards = rng.sample(range(1, 60), rng.randint(3, 6))
        listed = ", ".join(f"card {n + 1}: face down" for n in range(len(cards)))
        text = f"Find and pick the card with the greatest number, then press submit. Page: {listed}."
        tasks.append(Task(f"find-greatest-{i:03d}", text, str(max(cards)), 0.0, {"cards": cards}))
    attempts = tries(rng, tasks, steps=12, per_step=8, size=6, start=0.55, end=0.3)
    for t in attempts:
        cards, said = t.task.data["cards"], [{"role": "user", "content": t.task.question}]
        best = cards.index(max(cards))
        hasty = not t.right and shared(rng, 0.3, 0.95, t.progress)
        seen = list(range(len(cards))) if not hasty else [0 if rng.random() < 0.7 else rng.randrange(len(cards))]
        for n in seen:
            why = rng.choice(("I turn it over.", "Let me see its number.", "Next card.", "What is under it?"))
            said += [call("click", why, element=f"card {n + 1}"), told("click", f"card {n + 1} shows {cards[n]}")]
        pick = best if t.right else seen[-1] if hasty else rng.choice([n for n in seen if n != best])
        last = rng.choice(("I take this one.", "This will do.", "My choice stands."))
        said += [call("submit", last, card=pick + 1), told("submit", "Episode ended.")]
        late = rng.random() < 0.35 * (1 - t.progress) + 0.04
        if late:
            said[-2:] = [call("click", "Perhaps there are more cards.", element="page"), told("click", "Time is up.")]
        t.messages, t.answer, t.reward = said, "" if late else str(cards[pick]), float(not late)
    advantages(attempts, grpo)
    return [
        prime(
            t,
            "miniwob",
            {"raw_reward": 1.0 if t.answer == t.task.gold else 0.1 * t.reward, "num_turns": len(t.messages) // 2},
        )
        for t in attempts
    ]
