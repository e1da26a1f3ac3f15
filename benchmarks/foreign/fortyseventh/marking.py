"""Marking: an agent compares a pupil's sheet with the key, and gives the number of right answers."""

import random

from benchmarks.foreign.fortyseventh.agents import call, told
from benchmarks.foreign.fortyseventh.policy import Problem
from benchmarks.foreign.fortyseventh.voice import lead

PUPILS = ["Nora", "Ilias", "Bruno", "Saskia", "Teo", "Amira", "Kofi", "Wanda", "Piet", "Lucia", "Rui", "Elif"]
UNITS = ["fractions", "rivers", "verbs", "circuits", "maps", "cells", "angles"]
SYSTEM = "You mark homework. Tool: read_file(path). Open the key and the sheet, then end with 'Mark: n'."


class Marking:
    """Sheets of eight answers by letter."""

    def problem(self, rng: random.Random, number: int) -> Problem:
        """A sheet and its key."""
        unit, pupil = rng.choice(UNITS), rng.choice(PUPILS)
        day = rng.randint(1, 200)
        key = [rng.choice("ABCD") for _ in range(8)]
        sheet = [k if rng.random() < 0.65 else rng.choice("ABCD") for k in key]
        mark = sum(a == b for a, b in zip(key, sheet, strict=True))
        prompt = (
            f"Mark sheets/{pupil.lower()}_{unit}_{day}.md against keys/answers_{unit}_{day}.md. "
            "How many of the eight are right?"
        )
        facts = {"unit": unit, "pupil": pupil, "day": day, "key": key, "sheet": sheet}
        return Problem(f"mark-{number:04d}", prompt, str(mark), unit, SYSTEM, 0.0, facts)

    def messages(self, rng: random.Random, problem: Problem, right: bool) -> list[dict]:
        """Read both, compare, give the mark; a wrong one overlooks something."""
        f = problem.facts
        shown = ["\n".join(f"{n + 1}. {x}" for n, x in enumerate(f[name])) for name in ("key", "sheet")]
        key, sheet = f"keys/answers_{f['unit']}_{f['day']}.md", f"sheets/{f['pupil'].lower()}_{f['unit']}_{f['day']}.md"
        missed = [str(n + 1) for n in range(8) if f["key"][n] != f["sheet"][n]]
        mark = int(problem.gold)
        if not right:
            mark = max(0, mark - 1) if mark == 8 or (mark and rng.random() < 0.5) else mark + 1
        turns = [
            call(
                lead(rng, rng.choice([f"the key on {f['unit']}", "the order of the two files"]), 0.5)
                + rng.choice(["The key.", "I open the key."]),
                "read_file",
                path=key,
            ),
            told("read_file", shown[0]),
            call(rng.choice([f"{f['pupil']}'s sheet.", "Now the sheet."]), "read_file", path=sheet),
            told("read_file", shown[1]),
        ]
        why = [f"{f['pupil']} differs from the key at {', '.join(missed) or 'no place'}."] if right else []
        why += [f"I compared {f['pupil']}'s letters with the key one by one.", f"On {f['unit']}, {mark} letters agree."]
        return [
            *turns,
            {"role": "assistant", "content": f"{lead(rng, 'the two lists', 0.4)}{rng.choice(why)}\nMark: {mark}"},
        ]
