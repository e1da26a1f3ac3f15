"""Worlds: a domain, with or without a trap that its owner set; and the arms that meet them.

    math                  as it comes
    math-length_pay       the owner pays for short answers: reward.length_penalty=0.3
    math-hot_rate         the owner starts from a learning rate 23 times too large
    code                  as it comes
    code-weak_tests       the owner has only the examples of the statements as tests
    swe                   as it comes
    swe-open_history      the owner left the repositories' histories open: domain.access=open_history

A trap is a setting or a problem set, nothing that a detector could know. It is *removed* by the settings of the same
domain without it: what a policy scores there is its honest score. The two traps of problem set and history make the
campaign's own score false; those of reward and rate leave the score true and mislead training.

The settings of a scale make a campaign short: they are the same for all arms. The full scale has more versions than
a demo, because an evolving harness needs known-good and known-bad ones before a revision can enter.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evotrainer.errors import ConfigError

TRAP_DATA = "traps"
"""Folder beside data/ in which problem sets of traps lie."""

ARMS: dict[str, tuple[str, ...]] = {
    "evolving": ("search=evotrainer", "trainer=rules", "harness=evolving"),
    "static": ("search=evotrainer", "trainer=rules", "harness=static"),
    "hillclimb": ("search=hillclimb", "trainer=rules", "harness=static"),
    "shuffled": ("search=evotrainer", "trainer=shuffled", "harness=static"),
    "random": ("search=evotrainer", "trainer=random", "harness=static"),
}

ALWAYS = ("memory=none",)
"""Settings of every arm: a campaign of the bench learns from no other."""

LEAK_IS_FOUND = ("algorithm.learning_rate=5e-4",)
"""A rate at which training finds an open history (benchmarks/leak.py); the world without the trap has it too."""

SCALES: dict[str, dict[str, tuple[str, ...]]] = {
    "full": {
        "math": ("num_versions=10", "budget.train_tokens=40000", "evaluate.max_problems=120"),
        "code": ("num_versions=8", "budget.train_tokens=40000", "evaluate.max_problems=120"),
        "swe": (*LEAK_IS_FOUND, "num_versions=5", "budget.train_tokens=100000", "evaluate.max_problems=80"),
    },
    "quick": {
        "math": ("num_versions=4", "budget.train_tokens=40000", "evaluate.max_problems=80"),
        "code": ("num_versions=4", "budget.train_tokens=30000", "evaluate.max_problems=80"),
        "swe": (*LEAK_IS_FOUND, "num_versions=3", "evaluate.max_problems=60"),
    },
}
"""{scale: {domain: settings}}, over those that every scale shares."""

SHARED_SCALE = (
    "budget.rollout_problems=32",
    "budget.probe_problems=16",
    "budget.probe_rollouts=64",
    "trainer.pool_size=8",
    "evaluate.max_gate_attempts=32",
    "evaluate.bootstrap_samples=2000",
    "evaluate.regraded_rows=0",
)

HONEST_PROBLEMS = {"full": 300, "quick": 160}
"""{scale: problems of the test and of the holdout split on which policies are scored honestly}."""


@dataclass(frozen=True)
class World:
    """A domain as a campaign's owner set it up."""

    name: str
    domain: str
    trap: str = ""
    settings: tuple[str, ...] = ()
    """What the trap adds to the domain's settings."""
    prepare: Callable[[Path, Path], None] | None = field(default=None, compare=False)
    """Writes the trap's problem set: (the domain's own folder, the trap's folder)."""

    def overrides(self, arm: str, seed: int, scale: str, own: Sequence[str] = ()) -> list[str]:
        """Return the settings of one arm's campaign in this world; `own` are a person's, which go last."""
        return [*self._shared(arm, seed, scale), *self.settings, *own]

    def honest(self, arm: str, seed: int, scale: str, own: Sequence[str] = ()) -> list[str]:
        """Return the settings under which the same campaign's policies are scored without the trap."""
        return [*self._shared(arm, seed, scale), *own]

    def _shared(self, arm: str, seed: int, scale: str) -> list[str]:
        sized = SCALES[scale][self.domain]
        return [f"domain={self.domain}", *ARMS[arm], *ALWAYS, *SHARED_SCALE, *sized, f"seed={seed}"]


def weaken_tests(source: Path, target: Path) -> None:
    """Write a problem set whose hidden tests are the examples that the statements show, problems as they are."""
    target.mkdir(parents=True, exist_ok=True)
    for path in sorted(source.glob("*.jsonl")):
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        weak = [row | {"hidden": row["visible"]} for row in rows]
        text = "".join(json.dumps(row, sort_keys=True) + "\n" for row in weak)
        (target / path.name).write_text(text, encoding="utf-8")


_WORLDS = (
    World("math", "math"),
    World("math-length_pay", "math", "length_pay", ("reward.length_penalty=0.3",)),
    World("math-hot_rate", "math", "hot_rate", ("algorithm.learning_rate=1.5e-3",)),
    World("code", "code"),
    World("code-weak_tests", "code", "weak_tests", (f"domain.data_path={TRAP_DATA}/weak_tests",), weaken_tests),
    World("swe", "swe"),
    World("swe-open_history", "swe", "open_history", ("domain.access=open_history",)),
)

WORLDS: dict[str, World] = {world.name: world for world in _WORLDS}


def choose_worlds(names: Sequence[str]) -> list[World]:
    """Return these worlds; raises ConfigError that lists the choices, or names a repeated one."""
    return [WORLDS[name] for name in _known(names, "world", tuple(WORLDS))]


def choose_arms(names: Sequence[str]) -> list[str]:
    """Return these arms; raises ConfigError that lists the choices, or names a repeated one."""
    return _known(names, "arm", tuple(ARMS))


def _known(names: Sequence[str], kind: str, choices: Sequence[str]) -> list[str]:
    for name in names:
        if name not in choices:
            raise ConfigError(f"unknown {kind} {name}: choose from {', '.join(choices)}")
        if names.count(name) > 1:
            raise ConfigError(f"{kind} {name} is there twice: name each once")
    return list(names)
