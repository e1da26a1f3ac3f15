"""Problems of several sums in a row, and how a policy reasons through them: a wrong attempt slips in one of them."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.foreign.thirtyfifth.course import Task

Values = dict[str, Any]


@dataclass(frozen=True)
class Stage:
    """One sum: its name, its value, how it is gone wrong about, and ways to say it."""

    name: str
    value: Callable[[Values], Any]
    slips: tuple[Callable[[Values], Any], ...]
    says: tuple[str, ...]


@dataclass(frozen=True)
class Domain:
    """A sort of problem. The last stage is the answer."""

    name: str
    draw: Callable[[random.Random], Values]
    asks: tuple[str, ...]
    opens: tuple[str, ...]
    stages: tuple[Stage, ...]
    checks: tuple[str, ...]
    hard: float = 0.0
    form: str = "{}"


def reason(rng: random.Random, domain: Domain, given: Values, is_right: bool, effort: int) -> tuple[str, str]:
    """Reasoning and answer of one attempt."""
    gold = _follow(domain, given, -1, None)
    values = gold
    for _ in range(40):
        if is_right:
            break
        at = rng.randrange(len(domain.stages))
        slips = domain.stages[at].slips
        if not slips:
            continue
        values = _follow(domain, given, at, rng.choice(slips))
        if values[domain.stages[-1].name] != gold[domain.stages[-1].name]:
            break
    said = [rng.choice(domain.opens).format(**values)]
    said += [rng.choice(stage.says).format(**values) for stage in domain.stages]
    checks = list(domain.checks)
    rng.shuffle(checks)
    for place in range(effort):
        if place < len(checks):
            said.append(checks[place].format(**values))
        else:
            stage = domain.stages[(place - len(checks)) % len(domain.stages)]
            said.append("Once more: " + rng.choice(stage.says).format(**values))
    return " ".join(said), domain.form.format(values[domain.stages[-1].name])


def _follow(domain: Domain, given: Values, at: int, slip: Callable[[Values], Any] | None) -> Values:
    values = dict(given)
    for number, stage in enumerate(domain.stages):
        rule = slip if number == at and slip else stage.value
        values[stage.name] = rule(values)
    return values


def task_of(
    domain: Domain, end: str = "", system: str = "", shift: float = 0.0, spread: float = 0.8
) -> Callable[[random.Random, int], Task]:
    """A maker of tasks of a domain. `end` stands behind the question."""

    def make(rng: random.Random, number: int) -> Task:
        given = domain.draw(rng)
        gold = domain.form.format(_follow(domain, given, -1, None)[domain.stages[-1].name])
        prompt = rng.choice(domain.asks).format(**given) + (f"\n{end}" if end else "")

        def solve(rng: random.Random, is_right: bool, effort: int) -> tuple[str, str]:
            return reason(rng, domain, given, is_right, effort)

        hard = domain.hard + shift + rng.gauss(0, spread)
        return Task(f"{domain.name}-{number:04d}", prompt, gold, solve, domain.name, hard, system, {"given": given})

    return make


def makers_of(domains: Sequence[Domain], **how: Any) -> list[Callable[[random.Random, int], Task]]:
    """Makers of several domains."""
    return [task_of(domain, **how) for domain in domains]
