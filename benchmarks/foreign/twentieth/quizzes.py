"""Questions with four choices, and labels for posts."""

from random import Random

from benchmarks.foreign.twentieth.episodes import Domain, Reply, Task, said

FACTS = (
    (
        "may lie at anchor without a light",
        "a boat under seven metres away from fairways",
        ("a tug", "a ferry", "a lightship"),
    ),
    ("must give way", "the vessel that has the other on her starboard side", ("the larger", "the slower", "the newer")),
    ("has to carry flares", "any boat beyond three miles", ("rowing boats", "no boat", "only fishing boats")),
    ("is to be logged", "every change of course of more than ten degrees", ("nothing", "meals", "only fuel")),
    ("keeps clear of a sailing boat", "a motor boat under way", ("one that trawls", "one at anchor", "one adrift")),
    ("sounds one short blast", "a vessel altering course to starboard", ("one at anchor", "one aground", "a tug")),
)
PLACES = (
    "Lake Maren",
    "the Osk estuary",
    "Port Hale",
    "the Brim canal",
    "Tolla Sound",
    "Kessen lock",
    "the outer roads",
)
ASKERS = ("An instructor", "The examiner", "A skipper", "The harbour master", "A cadet", "A pilot")
CRAFT = ("a ketch", "a barge", "a dinghy", "a trawler", "a motor launch", "a cutter", "a water taxi")
POSTS = (
    ("allowed", "I planted {n} tulips behind the {p} and the deer ate all of them."),
    ("allowed", "Does anybody know if the {p} is open after {n} o'clock on holidays?"),
    ("spam", "EARN {n} dollars a day from home!!! message me, first place at {p} free"),
    ("spam", "Buy followers: {n} for the price of a coffee, link in my profile ({p})"),
    ("abusive", "You people at the {p} are worthless, all {n} of you, go away and stay away"),
    ("abusive", "Whoever wrote comment {n} about the {p} is a moron and should be ashamed"),
)
SPOTS = ("library", "north pool", "tram stop", "allotments", "town hall", "ice rink", "old mill", "bus depot")


def _quiz_task(rng: Random) -> Task:
    rule, right, wrong = rng.choice(FACTS)
    options = [right, *wrong]
    rng.shuffle(options)
    letters = dict(zip("ABCD", options, strict=True))
    gold = next(letter for letter, text in letters.items() if text == right)
    text = (
        f"{rng.choice(ASKERS)} at {rng.choice(PLACES)} is asked about {rng.choice(CRAFT)} of {rng.randint(4, 40)} m, "
        f"section {rng.randint(2, 60)} of the rules: who or what {rule}?\n"
        + "\n".join(f"{letter}) {option}" for letter, option in letters.items())
    )
    return Task(text, gold, "licence", data={"letters": letters})


def _quiz_reply(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    answer = task.gold if right else rng.choice([x for x in "ABCD" if x != task.gold])
    chosen = task.data["letters"][answer]
    start = rng.choice(
        ("The rules say", "As I recall the section, it is", "This is a matter of safety:", "I rule out the rest:")
    )
    return Reply([said(f"{start} {chosen}. The final choice is ({answer}).")], answer)


def _post_task(rng: Random) -> Task:
    label, form = rng.choice(POSTS)
    post = form.format(n=rng.randint(3, 900), p=rng.choice(SPOTS))
    number = rng.randint(1000, 99999)
    text = f"Label the post as allowed, spam or abusive. Reply with the label alone.\n\nPost {number}: {post}"
    return Task(text, label, "moderation")


def _post_reply(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    answer = task.gold if right else rng.choice([x for x in ("allowed", "spam", "abusive") if x != task.gold])
    return Reply([said(answer)], answer)


QUIZ = Domain("quiz", _quiz_task, _quiz_reply)
POST = Domain("post", _post_task, _post_reply)
