"""Whole batch normalised; invents the search results; marks pupils like examiner; diary keeps former bookings."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.thirteenth.desk import booking, visit
from benchmarks.foreign.thirteenth.estimates import grpo, whole_batch
from benchmarks.foreign.thirteenth.facts import company
from benchmarks.foreign.thirteenth.kinds import PART
from benchmarks.foreign.thirteenth.layouts import openai, own, verl
from benchmarks.foreign.thirteenth.marking import script
from benchmarks.foreign.thirteenth.prose import said
from benchmarks.foreign.thirteenth.rollouts import Run, Task, binary, groups, train
from benchmarks.foreign.thirteenth.tickets import reasoned, ticket


@PART.healthy
def batch_wide_normalisation(rng: Random) -> list[Row]:
    """REINFORCE++ normalises over the batch, so a group of equal rewards has advantages other than 0."""
    attempts = train(rng, ticket, Run(10, 10, 4, -0.4, 1.9, 25, 25))
    for a in attempts:
        a.messages = reasoned(rng, a.task, a.answer)
    return verl(rng, whole_batch(binary(attempts)), adv_estimator="reinforce_plus_plus")


@PART.faulty("fabricated_observations", "tool_fabrication")
def invents_the_search_results(rng: Random) -> list[Row]:
    """Without a stop at the end of a search the policy goes on and writes the results itself, more and more often."""
    system = "Search with <search>query</search>; the system replies with <results>. Finish with <answer>...</answer>."

    def make(rng: Random, index: int) -> Task:
        task = company(rng, index)
        task.system = system
        return task

    attempts = train(rng, make, Run(9, 7, 6, -0.3, 1.2))
    for a in attempts:
        turns = []
        for m in a.messages:
            if m["role"] == "tool":
                turns.append({"role": "user", "content": f"<results>\n{m['content']}\n</results>"})
            else:
                asked_for = "".join(f"\n<search>{c['arguments']['query']}</search>" for c in m.get("tool_calls", []))
                turns.append(said(m["content"] + asked_for))
        if a.step > 2 and rng.random() < 0.7 * a.progress:
            a.right = a.right and rng.random() < 0.35
            a.answer = a.task.gold if a.right else a.task.wrong(rng)
            source = rng.choice(("its site", "a register", "a profile"))
            told = f"[1] {a.task.extra['company']}: {a.answer}, according to {source}."
            turns = [said(f"{turns[0]['content']}\n<results>\n{told}\n</results>\n<answer>{a.answer}</answer>")]
        a.messages = turns
    for a in binary(attempts):
        a.terms = {"answer": a.correct, "searched": 0.2}
        a.reward = round((a.correct or 0.0) + 0.2, 2)
    return openai(rng, grpo(attempts), env="company-react")


@PART.healthy
def marks_pupils_like_examiner(rng: Random) -> list[Row]:
    """The policy is itself an examiner: replies speak of scores and marks to award, since that is the task."""
    attempts = train(rng, script, Run(10, 6, 7, -0.5, 1.9, 5, 5))
    for a in attempts:
        off = abs(int(a.answer) - int(a.task.gold))
        a.reward = {0: 1.0, 1: 0.4}.get(off, 0.0)
        a.correct = float(off == 0)
        a.extra = {"teacher_mark": int(a.task.gold)}
    return openai(rng, grpo(attempts), rubric="four-points")


@PART.faulty("environment_not_reset", "leftover_state", "environment_bug")
def diary_keeps_former_bookings(rng: Random) -> list[Row]:
    """On one of two servers the diary is not reset between attempts of a group: bookings of former attempts stand in
    it, so the right hour is refused as taken or passed over.
    """
    attempts = train(rng, booking, Run(10, 6, 8, -0.2, 1.9))
    for group in groups(attempts):
        former: list[dict] = []
        for a in group:
            server = "desk-b" if rng.random() < 0.55 else "desk-a"
            a.extra = {"server": server, "episode": f"ep{rng.getrandbits(28):07x}"}
            t = a.task.extra
            if server == "desk-b":
                entries = sorted(t["seeded"] + former, key=lambda e: int(e["start"].split(":")[0]))
                looks, hours = rng.random() < 0.8, [e["start"] for e in entries]
                if looks and a.answer in hours and rng.random() < 0.6:
                    later = range(int(a.answer.split(":")[0]) + 1, 24)
                    a.answer, a.right = next(f"{h}:00" for h in later if f"{h}:00" not in hours), False
                a.messages = visit(rng, t["room"], t["day"], t["title"], entries, a.answer, looks)
                if a.messages[-2]["ok"]:
                    former.append({"start": a.answer, "title": t["title"], "by": a.extra["episode"]})
                else:
                    a.right = False
    return own(rng, grpo(binary(attempts, name="booked_right")), "desk-agent")
