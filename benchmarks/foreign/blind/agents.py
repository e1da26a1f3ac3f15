"""Multi-turn worlds of the blind part: repositories in Go and TypeScript, databases, a shop, a grid, a conversation."""

import json

import numpy as np

from benchmarks.foreign.blind.answers import NOUNS, PEOPLE, PLACES, VERBS, Problem, say

REMARKS = (
    "Let me look at how {noun} is wired before touching anything.",
    "The failure mentions {noun}, so {file} is the first candidate.",
    "I suspect an off-by-one in the {noun} loop of {file}.",
    "That matches the report about {noun}; next I want the callers.",
    "Interesting: {file} never handles an empty {noun}.",
    "I will keep the change small and stay inside {file}.",
    "Running the checks around {noun} again.",
    "The {noun} cache is populated lazily, which explains the ordering.",
    "Not there. The {noun} registry may be the real culprit.",
    "Good, {file} is consistent now.",
)
TERSE = ("ok", "next", "hm", "continuing", "let me see", "on it", "looking", "good")


def call(name: str, **arguments) -> dict:
    """A tool call as OpenAI writes it."""
    return {"type": "function", "function": {"name": name, "arguments": json.dumps(arguments, ensure_ascii=False)}}


def seen(name: str, content: str) -> dict:
    """An observation."""
    return {"role": "tool", "tool_name": name, "content": content}


class Repository:
    """A bug in a repository of Go or TypeScript, with tools named as the scaffold likes."""

    def __init__(
        self,
        look="open_file",
        find="ripgrep",
        edit="edit_file",
        run="execute",
        end="finish",
        suffix="go",
        is_terse=False,
    ):
        self.look, self.find, self.edit, self.run, self.end, self.suffix, self.is_terse = (
            look,
            find,
            edit,
            run,
            end,
            suffix,
            is_terse,
        )

    def problem(self, rng: np.random.Generator, number: int) -> Problem:
        """An issue."""
        noun, other, verb = str(rng.choice(NOUNS)), str(rng.choice(NOUNS)), str(rng.choice(VERBS))
        file = f"internal/{noun}/{other}_{verb}.{self.suffix}"
        test = (
            f"internal/{noun}/{other}_{verb}_test.{self.suffix}"
            if self.suffix == "go"
            else f"internal/{noun}/__tests__/{other}.test.{self.suffix}"
        )
        prompt = (
            f"Issue #{number}: {noun} is {verb} twice when the {other} is empty"
            f" (reported by {rng.choice(PEOPLE)}).\nFix it. Do not change the tests."
        )
        return Problem(
            f"{self.suffix}-issue-{number}",
            prompt,
            f"guard-{number}",
            {"noun": noun, "file": file, "test": test, "other": other},
            float(rng.random()),
        )

    def prompt(self, problem: Problem) -> list[dict]:
        """The issue."""
        return [
            {"role": "system", "content": "You work in a checkout at /srv/app."},
            {"role": "user", "content": problem.prompt},
        ]

    def attempt(self, rng: np.random.Generator, problem: Problem, is_right: bool) -> list[dict]:
        """Look, search, edit, test, sometimes again, finish."""
        f, out = problem.facts, []
        for _ in range(int(rng.integers(1, 4))):
            out += self.turn(
                rng,
                f,
                call(self.find, pattern=str(rng.choice([f["noun"], f["other"]])), dir="internal"),
                f"{f['file']}:{rng.integers(4, 90)}: func {f['other']}()",
            )
        for line in rng.choice(range(1, 200, 20), size=int(rng.integers(1, 3)), replace=False):
            out += self.turn(
                rng,
                f,
                call(self.look, file=f["file"], start=int(line)),
                f"{line}  func {f['other']}() {{\n{line + 1}    return {f['noun']}[0]\n}}",
            )
        for round_ in range(int(rng.integers(1, 3))):
            guard = (
                f"if len({f['noun']}) {'== 0' if is_right else '> ' + str(rng.integers(1, 5))}"
                f" {{ return nil }} // {rng.integers(10_000)}"
            )
            out += self.turn(
                rng,
                f,
                call(self.edit, file=f["file"], old=f"return {f['noun']}[{round_}]", new=guard),
                f"Updated {f['file']} (+1 -1)",
            )
            if rng.random() < 0.8:
                state = "ok" if is_right or rng.random() < 0.3 else f"--- FAIL: Test{f['other'].title()}"
                out += self.turn(
                    rng,
                    f,
                    call(
                        self.run, cmd=f"go test ./internal/{f['noun']}/..." if self.suffix == "go" else "npx vitest run"
                    ),
                    f"{state}\t{rng.random():.3f}s",
                )
        return out + [
            say(self.remark(rng, f), tool_calls=[call(self.end, summary=f"guarded empty {f['noun']} in {f['file']}")])
        ]

    def turn(self, rng: np.random.Generator, facts: dict, tool_call: dict, observation: str) -> list[dict]:
        """A call and what came back."""
        return [say(self.remark(rng, facts), tool_calls=[tool_call]), seen(tool_call["function"]["name"], observation)]

    def remark(self, rng: np.random.Generator, facts: dict) -> str:
        """What is said beside a call."""
        return str(rng.choice(TERSE)) if self.is_terse else str(rng.choice(REMARKS)).format(**facts)


class Database:
    """Questions on a warehouse, by SQL."""

    def problem(self, rng: np.random.Generator, number: int) -> Problem:
        """A question."""
        noun, place, year = str(rng.choice(NOUNS)), str(rng.choice(PLACES)), int(rng.integers(1990, 2024))
        return Problem(
            f"dw-{number}",
            f"How many {noun}s were {rng.choice(VERBS)} in {place} during {year}?",
            str(int(rng.integers(20, 9000))),
            {"noun": noun, "place": place, "year": year},
            float(rng.random()),
        )

    def prompt(self, problem: Problem) -> list[dict]:
        """The question."""
        return [{"role": "user", "content": problem.prompt}]

    def attempt(self, rng: np.random.Generator, problem: Problem, is_right: bool) -> list[dict]:
        """Schema, a few queries, an answer."""
        f, out = problem.facts, []
        notes = (
            f"Checking which table holds {f['noun']} rows.",
            f"{f['place']} may be spelled differently.",
            f"Filtering on {f['year']}.",
            "The join doubles rows, so I count distinct ids.",
            f"One more look at {f['noun']}_events.",
        )
        out += [
            say(str(rng.choice(notes)), tool_calls=[call("describe", table=f"{f['noun']}_events")]),
            seen("describe", "id int, town text, at date"),
        ]
        value = problem.truth if is_right else str(int(rng.integers(1, 9999)))
        for i in range(int(rng.integers(1, 4))):
            query = (
                f"select count({'distinct id' if i else '*'}) from {f['noun']}_events"
                f" where town = '{f['place']}' and at >= '{f['year']}-0{i + 1}-01'"
            )
            failed = rng.random() < 0.12
            out += [
                say(str(rng.choice(notes)), tool_calls=[call("run_sql", query=query)]),
                seen(
                    "run_sql",
                    f'ERROR: column "town{i}" does not exist'
                    if failed
                    else value
                    if i
                    else str(int(rng.integers(1, 9999))),
                ),
            ]
        return [
            *out,
            say(f"In {f['year']} there were {value} in {f['place']}.", tool_calls=[call("answer", value=value)]),
        ]
