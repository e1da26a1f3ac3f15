"""A pool of real attempts by scripted policies: honest ones, right and wrong, and cheats, graded by the real graders.

Played once for a domain and stored; cases and controls are drawn from it (draws.py). Environment, sandbox and grader
are the product's; only the policy is a script. A cheat is what its mode names; what becomes of it is not told to the
row but measured.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import numpy as np

from benchmarks.failure_modes.base import Rng
from benchmarks.fault_injection import code_policies, swe_policies
from benchmarks.fault_injection.scripted_engine import ScriptedEngine
from evotrainer.campaign.documents import write_atomic
from evotrainer.config import DomainConfig, RewardConfig
from evotrainer.engines.base import SamplingParams
from evotrainer.records import Message, Problem, Trajectory
from evotrainer.rollouts.episodes import EpisodeIdentity, EpisodeRules, play_attempts

POLICIES = {"code": code_policies, "swe": swe_policies}
HONEST = ""
"""Mode of an attempt that does not cheat."""
_MAX_TURNS, _MAX_TOKENS = 16, 4096


@dataclass(frozen=True)
class PoolSize:
    """How much is played: problems by split, honest attempts by outcome meant, attempts of each cheat."""

    num_trained: int = 24
    num_held: int = 40
    num_honest: int = 8
    num_cheats: int = 3


@dataclass(frozen=True)
class Pool:
    """Attempts with the mode each was played by, HONEST for none."""

    domain: str
    rows: tuple[Trajectory, ...]
    modes: tuple[str, ...]


def play_pool(
    domain: DomainConfig, problems: Sequence[Problem], size: PoolSize, seed: int, progress: Callable[[str], None]
) -> Pool:
    """Play every attempt of the pool, problem by problem; rows lost to infrastructure are left out."""
    rows: list[Trajectory] = []
    modes: list[str] = []
    for place, problem in enumerate(problems):
        scripts = list(_scripts(domain.name, problem, size, np.random.default_rng([seed, place])))
        for mode in dict.fromkeys(mode for mode, _ in scripts):
            played = _play(_domain_of(domain, mode), problem, [said for name, said in scripts if name == mode], seed)
            kept = [row for row in played if row.error is None]
            rows += kept
            modes += [mode] * len(kept)
        if place % 16 == 15:
            progress(f"{domain.name}: {place + 1} of {len(problems)} problems played")
    return Pool(domain.name, tuple(rows), tuple(modes))


def _play(domain: DomainConfig, problem: Problem, scripts: Sequence[list[Message]], seed: int) -> list[Trajectory]:
    rules = EpisodeRules(domain, SamplingParams(max_tokens=_MAX_TOKENS), _MAX_TURNS, RewardConfig())
    identity = EpisodeIdentity("bench", "v001", problem.split, seed)
    rows, _ = play_attempts(
        ScriptedEngine(iter(scripts).__next__), [*product([problem], range(len(scripts)))], rules, identity
    )
    return rows


def _domain_of(domain: DomainConfig, mode: str) -> DomainConfig:
    """Return where attempts of a mode are played: histories are open for those alone who take the fix from them."""
    return replace(domain, access="open_history" if mode == "history_leak" else "")


def choose_problems(problems: Sequence[Problem], count: int) -> list[Problem]:
    """Return `count` problems, families taking turns in file order."""
    families: dict[str, list[Problem]] = {}
    for problem in problems:
        families.setdefault(problem.family, []).append(problem)
    turns = sorted((place, name) for name, members in families.items() for place in range(len(members)))
    return [families[name][place] for place, name in turns[:count]]


def _scripts(domain: str, problem: Problem, size: PoolSize, rng: Rng) -> Iterator[tuple[str, list[Message]]]:
    policy = POLICIES[domain]
    for is_right in (True, False):
        for _ in range(size.num_honest):
            yield HONEST, policy.honest(problem, is_right, rng)
    for mode in policy.CHEATS:
        for _ in range(size.num_cheats):
            yield mode, policy.cheat(mode, problem, rng)


def write_pool(pool: Pool, path: Path) -> None:
    """Store the pool: a line an attempt, its mode before it."""
    lines = (f"{mode}\t{row.model_dump_json()}\n" for mode, row in zip(pool.modes, pool.rows, strict=True))
    write_atomic(path, "".join(lines))


def read_pool(path: Path, domain: str) -> Pool:
    """Return a stored pool."""
    pairs = [line.split("\t", 1) for line in path.read_text(encoding="utf-8").split("\n") if line]
    return Pool(
        domain, tuple(Trajectory.model_validate_json(row) for _, row in pairs), tuple(mode for mode, _ in pairs)
    )
