"""Problems worked on with tools: a household robot, a repository in Go or TypeScript, a shelf of documents."""

from benchmarks.foreign.practice.acting import BRANDS, Message, Scene, answered, aside, call, fixed, opened, said
from benchmarks.foreign.practice.stories import PLACES, WHO, Draw, Task

# a household robot

ROOMS = ["kitchen", "hall", "study", "pantry", "bathroom", "porch", "cellar", "nursery"]
OBJECTS = ["mug", "scarf", "torch", "vase", "ledger", "sponge", "trowel", "pillow", "compass", "basket"]


def draw_robot(rng: Draw, name: str) -> Task:
    """Draw an object to be carried to a room."""
    thing, start, goal = rng.choice(OBJECTS), rng.choice(ROOMS), rng.choice(ROOMS)
    ask = rng.choice(
        (
            f"Put the {thing} into the {goal}.",
            f"Bring the {thing} to the {goal}.",
            f"The {thing} belongs in the {goal}; take it there.",
        )
    )
    return Task(name, "robot", ask, goal, rng.gauss(0, 0.8), {"thing": thing, "start": start, "goal": goal})


def play_robot(rng: Draw, task: Task, right: bool, talk: float) -> list[Message]:
    """Walk through rooms until the thing is seen, take it, carry it."""
    f = task.facts
    row = opened(task, "You steer a robot in a house with tools. Say done when done.")
    for room in [*rng.sample(ROOMS, rng.randint(1, 6)), f["start"]]:
        here = fixed(task, room)
        seen = f["thing"] if room == f["start"] else here.choice([one for one in OBJECTS if one != f["thing"]])
        beside = here.choice(("a chair", "two boxes", "a rug", "nothing else"))
        row += [
            call("walk_to", {"room": room}, aside(rng, talk, f"the {room}")),
            answered(f"You are in the {room}. You see a {seen} and {beside}."),
        ]
        if rng.random() < 0.3:
            row += [
                call("look_under", {"item": rng.choice(("rug", "chair", "boxes"))}, aside(rng, talk, "what is hidden")),
                answered(here.choice(("Dust.", "Nothing.", "A coin.", "It is too heavy to lift."))),
            ]
    row += [
        call("grasp", {"object": f["thing"]}, aside(rng, talk, f"the {f['thing']}")),
        answered(f"You hold the {f['thing']}."),
    ]
    goal = f["goal"] if right else rng.choice([one for one in ROOMS if one != f["goal"]])
    row += [call("walk_to", {"room": goal}, aside(rng, talk, f"the {goal}")), answered(f"You are in the {goal}.")]
    row += [call("release", {}, aside(rng, talk, "putting it down")), answered(f"The {f['thing']} lies in the {goal}.")]
    row.append(said(rng.choice(("done", f"Done: the {f['thing']} is in the {goal}.", f"It is in the {goal} now."))))
    return row


# a repository in Go or TypeScript

PARTS = ["parser", "ledger", "router", "cache", "scheduler", "codec", "limiter", "index", "quota", "rollup"]
VERBS = ["Merge", "Clamp", "Split", "Rotate", "Trim", "Window", "Encode", "Pick", "Count", "Balance"]


def draw_repo(rng: Draw, name: str) -> Task:
    """Draw a defect in one function of a package."""
    part, verb, go = rng.choice(PARTS), rng.choice(VERBS), rng.random() < 0.5
    source, test = (
        (f"pkg/{part}/{part}.go", f"pkg/{part}/{part}_test.go") if go else (f"src/{part}.ts", f"src/{part}.spec.ts")
    )
    edge = rng.choice(
        ("an empty list", "a negative limit", "one element", "the last index", "a zero width", "duplicate keys")
    )
    ask = rng.choice(
        (
            f"{verb}() in {source} gives a wrong result for {edge}. Fix it.",
            f"Bug: {part} breaks on {edge} ({verb} in {source}).",
            f"`{verb}` mishandles {edge}; see {source}. Please repair it.",
        )
    )
    return Task(
        name,
        "repo",
        ask,
        "",
        rng.gauss(0, 0.8),
        {"part": part, "verb": verb, "go": go, "source": source, "test": test, "edge": edge},
    )


def source_of(rng: Draw, task: Task) -> tuple[str, str, str]:
    """The function before the fix, the faulty line, and the right line."""
    f, n = task.facts, rng.randint(1, 9)
    if f["go"]:
        bad, good = f"for i := 0; i <= n-{n}; i++ {{", f"for i := 0; i < n-{n}; i++ {{"
        body = f"{{\n\t{bad}\n\t\tacc += xs[i]\n\t}}\n\treturn acc\n}}"
        return f"package {f['part']}\n\nfunc {f['verb']}(xs []int, n int) int {body}", bad, good
    bad, good = f"if (xs.length > {n}) return xs[xs.length];", f"if (xs.length >= {n}) return xs[xs.length - 1];"
    return (
        f"export function {f['verb'].lower()}(xs: number[], n: number): number {{\n  {bad}\n  return n;\n}}",
        bad,
        good,
    )


def suite(rng: Draw, task: Task, right: bool) -> str:
    """What the test run prints."""
    f, n = task.facts, rng.randint(4, 30)
    if f["go"]:
        where = f"{f['part']}_test.go:{rng.randint(10, 90)}"
        bad = (
            f"--- FAIL: Test{f['verb']} (0.00s)\n    {where}: got {rng.randint(0, 9)}, want {rng.randint(10, 19)}\nFAIL"
        )
        return f"ok  \texample.com/app/pkg/{f['part']}\t0.0{rng.randint(10, 99)}s" if right else bad
    return (
        f"Tests: {n} passed, {n} total"
        if right
        else f"Tests: 1 failed, {n - 1} passed, {n} total\n● {f['verb'].lower()} › {f['edge']}"
    )


def play_repo(rng: Draw, task: Task, right: bool, talk: float) -> list[Message]:
    """Look, read, edit, run the tests."""
    f = task.facts
    text, bad, good = source_of(fixed(task, "source"), task)
    run = f"go test ./pkg/{f['part']}/" if f["go"] else f"npx jest {f['test']}"
    row = opened(task, "You work in a repository with a shell and an editor.")
    if rng.random() < 0.7:
        row += [
            call(
                "shell",
                {"cmd": rng.choice(("ls", f"grep -rn {f['verb']} .", "git status --short"))},
                aside(rng, talk, "the layout", f["part"]),
            ),
            answered(f"{f['source']}\n{f['test']}\nREADME.md"),
        ]
    row += [call("shell", {"cmd": f"cat {f['source']}"}, aside(rng, talk, f["source"], f["verb"])), answered(text)]
    if rng.random() < 0.4:
        row += [call("shell", {"cmd": run}, aside(rng, talk, "the failing test")), answered(suite(rng, task, False))]
    new = good if right else bad.replace("n", "n + 1", 1)
    row += [
        call("replace_in_file", {"path": f["source"], "old": bad, "new": new}, aside(rng, talk, f["edge"], "the loop")),
        answered("1 replacement"),
    ]
    if right or rng.random() < 0.6:
        row += [call("shell", {"cmd": run}, aside(rng, talk, "the tests")), answered(suite(rng, task, right))]
    row.append(
        said(
            rng.choice(
                (
                    f"Fixed {f['verb']} for {f['edge']}.",
                    "The change is in place.",
                    f"I corrected the bound in {f['source']}.",
                    f"{f['verb']} now handles {f['edge']}.",
                )
            )
        )
    )
    return row


# a shelf of documents

SITES = [
    "Varenholm",
    "Ostrey",
    "Kellburn",
    "Maristow",
    "Dunvarra",
    "Pellwitz",
    "Torshavn",
    "Quarrin",
    "Lisseld",
    "Brannock",
]
WORKS = ["lighthouse", "viaduct", "observatory", "cannery", "granary", "tannery", "funicular", "reservoir"]


def draw_shelf(rng: Draw, name: str) -> Task:
    """Draw a year to be found in documents."""
    site, work, year = rng.choice(SITES), rng.choice(WORKS), rng.randint(1705, 1968)
    ask = rng.choice(
        (
            f"In which year was the {work} of {site} finished?",
            f"When did the {site} {work} open?",
            f"Give the year the {work} at {site} was completed.",
        )
    )
    return Task(name, "shelf", ask, str(year), rng.gauss(0, 0.8), {"site": site, "work": work})


def paper(rng: Draw, site: str, work: str, year: str) -> str:
    """A passage on a building."""
    lead = rng.choice(
        (
            f"The {work} at {site} was begun by {rng.choice(WHO)} {rng.choice(BRANDS)}.",
            f"{site} lies near {rng.choice(PLACES)}.",
            f"Few visitors know the {site} {work}.",
        )
    )
    fact = rng.choice(
        (
            f"It was completed in {year}.",
            f"The works ended in {year} after a strike.",
            f"It opened to the public in {year}.",
            f"The last stone was laid in {year}.",
        )
    )
    cost = f"Its cost was {rng.randint(2, 90)} thousand."
    return f"{lead} {fact} {rng.choice(('It closed later.', 'A fire damaged it.', 'It still stands.', cost))}"


def play_shelf(rng: Draw, task: Task, right: bool, talk: float) -> list[Message]:
    """Search, open one or two documents, answer."""
    site, work = task.facts["site"], task.facts["work"]
    row = opened(task, "Answer from the documents. Reply with a year.")
    year = task.answer if right else str(rng.randint(1705, 1968))
    for turn in range(rng.randint(1, 3)):
        query = rng.choice(
            (f"{site} {work}", f"{work} {site} completed", f"history of {site}", f"{site} {work} year opened")
        )
        hits = "\n".join(
            f"doc-{rng.randint(100, 999)}: {rng.choice(SITES)} {rng.choice(WORKS)}" for _ in range(rng.randint(2, 4))
        )
        row += [call("search_documents", {"query": query}, aside(rng, talk, f"the {work}", site)), answered(hits)]
        text = (
            paper(rng, site if right else rng.choice(SITES), work, year)
            if turn == 0
            else paper(rng, rng.choice(SITES), rng.choice(WORKS), str(rng.randint(1705, 1968)))
        )
        row += [
            call("open_document", {"id": f"doc-{rng.randint(100, 999)}"}, aside(rng, talk, "this document", site)),
            answered(text),
        ]
    row.append(said(rng.choice((year, f"It was {year}.", f"The {work} was finished in {year}.", f"Answer: {year}"))))
    return row


ROBOT = Scene(draw_robot, play_robot)
REPO = Scene(draw_repo, play_repo)
SHELF = Scene(draw_shelf, play_shelf)
