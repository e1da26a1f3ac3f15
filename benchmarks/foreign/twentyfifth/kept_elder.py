"""A site that is not set back, and a held set that is hard by choice."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyfifth import sums
from benchmarks.foreign.twentyfifth.course import Draw, Plan, Task, Try, evaluate, play, tasks, train
from benchmarks.foreign.twentyfifth.credit import grpo
from benchmarks.foreign.twentyfifth.kinds import PART
from benchmarks.foreign.twentyfifth.layouts import openai, own
from benchmarks.foreign.twentyfifth.prose import pick
from benchmarks.foreign.twentyfifth.talk import Talk, chat

CODES = ("a bubble sort", "a prime sieve", "a CSV reader", "a countdown", "a word counter", "a matrix transpose")


def _new_file(rng: Random) -> Task:
    owner, project = rng.choice(["ops", "byte", "mesa", "luna"]), rng.choice(["dotfiles", "a11y-lint", "site", "timer"])
    repo, code = f"{owner}/{project}", rng.choice(CODES)
    name = f"{code.split()[-1]}_{rng.randint(2, 99)}.py"
    prompt = f"On the GitLab site, create a file named {name} in repo {repo} with code for {code}."
    return Task(prompt, name, {"repo": repo, "code": code})


def _listing(d: Draw, ids: int, found: bool) -> str:
    text = f"[{ids}] link 'README.md'\n[{ids + 3}] button 'New file'"
    if found:
        ago = f"{d.rng.randint(2, 58)} minutes ago by byteblaze"
        text += f"\n[{ids + 1}] link '{d.task.gold}'\n[{ids + 2}] link 'Add new file' ({ago})"
    return text


def _ending(d: Draw, found: bool) -> str:
    name, repo = d.task.gold, d.task.info["repo"]
    if found:
        return pick(
            d.rng, f"It seems that {name} exists already.", f"I could not add {name}.", "The site refuses the name."
        )
    return pick(d.rng, f"{name} is in {repo}.", f"Created {name}.", f"Committed {d.task.info['code']} as {name}.")


@PART.faulty("environment_not_reset", "leftover_state", "environment_bug")
def yesterdays_commit_on_gitlab(rng: Random) -> list[Row]:
    """The sites are not set back between attempts: later ones find the file and the commit `Add new file` of an
    earlier one, stumble over them and fail [McGill-NLP/safearena#6].
    """
    made: set[str] = set()

    def attempt(d: Draw) -> Try:
        name, repo, ids = d.task.gold, d.task.info["repo"], d.rng.randint(20, 240)
        talk = Talk(d.task.prompt, "You operate a browser. Actions: goto, click, fill.")
        found = d.task.prompt in made and d.rng.random() < 0.75
        start = pick(d.rng, "Open the repository.", "", f"Go to {repo}.")
        talk.use(start, "browser", {"action": f"goto /{repo}"}, _listing(d, ids, found))
        if found and d.rng.random() < 0.5:
            seen = f"commit {d.rng.getrandbits(32):08x}: Add new file\n+ 1 file"
            talk.use("'Add new file' seems to be the button.", "browser", {"action": f"click [{ids + 2}]"}, seen)
        form = f"[{ids + 9}] textbox 'File name'\n[{ids + 11}] textbox 'Content'"
        talk.use(pick(d.rng, "New file.", "", "Now the form."), "browser", {"action": f"click [{ids + 3}]"}, form)
        fill = {"action": f"fill [{ids + 9}] {name}; fill [{ids + 11}] # {d.task.info['code']}; click Commit"}
        clash = found or not d.able
        answer = "A file with this name already exists" if found else "Form error: branch is protected"
        answer = answer if clash else f"Committed to main: {name}"
        talk.use(pick(d.rng, f"Write {d.task.info['code']}.", "", "Fill it in."), "browser", fill, answer)
        talk.say(_ending(d, found))
        if not clash:
            made.add(d.task.prompt)
        return Try(talk.messages, float(not clash), not clash, {"site": "gitlab", "final_url": f"/{repo}/-/tree/main"})

    plan = Plan(9, 8, 6, start=0.4, gain=1.8, prefix="wa-")
    return openai(rng, grpo(train(rng, _new_file, attempt, plan)), env="webarena-docker")


@PART.healthy
def hardest_level_held_out(rng: Random) -> list[Row]:
    """Validation stays twenty points below training at every step: only problems of level 5 are held, to save time,
    and both rise together [GAIR-NLP/ToRL#13].
    """
    plan = Plan(11, 6, 6, start=-0.3, gain=1.9, prefix="lv")
    pool = tasks(rng, sums.problems("rows", "tank", "trip"), 66, plan)
    held = tasks(rng, sums.problems("rows", "tank", "trip"), 30, Plan(11, 6, 6, prefix="lv5-"))
    for task in held:
        task.hard += 1.1

    def attempt(d: Draw) -> Try:
        text, answer = sums.solve(d)
        level = 5 if d.task.id.startswith("lv5") else max(1, min(5, round(2.6 + d.task.hard)))
        info = {"level": level, "answer": answer}
        return Try(
            chat(d.task.prompt, f"{text}\n\\boxed{{{answer}}}"), float(d.able), d.able, info, {"correct": float(d.able)}
        )

    return own(rng, grpo(play(rng, pool, attempt, plan) + evaluate(rng, held, attempt, plan)))
