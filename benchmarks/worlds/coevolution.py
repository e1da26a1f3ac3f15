"""`coevolution`: a domain, with or without a trap that its owner set, and the arms that meet it.

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

from collections.abc import Sequence
from pathlib import Path

from benchmarks.worlds.bench import ALWAYS, LEAK_IS_FOUND, SHARED_SCALE, TRAPS, Planned, choose, lay_foundation
from benchmarks.worlds.lottery import with_weak_tests, write_trapped
from conf.compose import compose_campaign

ARMS: dict[str, tuple[str, ...]] = {
    "evolving": ("search=evotrainer", "trainer=rules", "harness=evolving"),
    "static": ("search=evotrainer", "trainer=rules", "harness=static"),
    "hillclimb": ("search=hillclimb", "trainer=rules", "harness=static"),
    "shuffled": ("search=evotrainer", "trainer=shuffled", "harness=static"),
    "random": ("search=evotrainer", "trainer=random", "harness=static"),
}

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
HONEST_PROBLEMS = {"full": 300, "quick": 160}

PAIRS = (
    ("evolving", "static", "the evolving harness"),
    ("evolving", "hillclimb", "harness and search, against the score alone"),
    ("static", "hillclimb", "diagnosis, backtests and gate, against the score alone"),
    ("static", "shuffled", "findings, against the same rules on shuffled ones"),
    ("static", "random", "the rules, against a blind proposer"),
)
"""(arm, arm, what their difference is worth)."""
WEAK_TESTS = f"{TRAPS}/weak_tests"


WORLDS: dict[str, tuple[str, ...]] = {
    "math": (),
    "math-length_pay": ("reward.length_penalty=0.3",),
    "math-hot_rate": ("algorithm.learning_rate=1.5e-3",),
    "code": (),
    "code-weak_tests": (f"domain.data_path={WEAK_TESTS}",),
    "swe": (),
    "swe-open_history": ("domain.access=open_history",),
}
"""What the trap adds to the settings of the domain that a name begins with."""


def planned(name: str, arm: str, seed: int, scale: str) -> Planned:
    """Return one arm's campaign in a world."""
    domain = name.partition("-")[0]
    fixed = (f"domain={domain}", *ARMS[arm], *ALWAYS, f"seed={seed}")
    honest = (*fixed, *SHARED_SCALE, *SCALES[scale][domain])
    return Planned(name, arm, seed, (*honest, *WORLDS[name]), honest, HONEST_PROBLEMS[scale])


def plan_all(
    main: Path, out: Path, worlds: Sequence[str], arms: Sequence[str], seeds: Sequence[int], scale: str = "full"
) -> list[Planned]:
    """Return all campaigns, seed by seed, and put in place what they start from."""
    choose("world", worlds, WORLDS)
    choose("arm", arms, ARMS)
    found = [planned(world, arm, seed, scale) for seed in seeds for world in worlds for arm in arms]
    configs = [compose_campaign(planned(world, arms[0], 0, scale).honest) for world in worlds]
    files = lay_foundation(main, out, configs)
    if "code-weak_tests" in worlds:
        write_trapped(files.data / "code", files.root / WEAK_TESTS, with_weak_tests)
    return found
