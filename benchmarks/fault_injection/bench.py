"""The failure-mode benchmark: real evidence is made once, faults are injected, and every detector is measured.

    rollouts of scripted policies (code, swe) ─┐
    training runs of the embedded policy (math) ├─► controls ─► cases ─► detectors ─► recall, false alarms, cost
    lineages of planned campaigns ─────────────┘

Each measurement lies in a file of its own, under a key of what it depends on: evidence, injection and the harness.
Evidence lies under a key too: the problems, the start policy, and the code that plays or trains. An interrupted bench
goes on where it stood, and after an edit of one of these what depends on it is made and measured again.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.failure_modes import FAILURE_MODES, find_failure_mode
from benchmarks.fault_injection.cases import RowSource
from benchmarks.fault_injection.measure import (
    INJECTED,
    LINEAGE,
    Alarms,
    Bank,
    Recall,
    measure_alarms,
    measure_recall,
    ways_of,
)
from benchmarks.fault_injection.rollouts import PoolSize, choose_problems, play_pool, read_pool, write_pool
from benchmarks.fault_injection.training import train_runs
from conf.compose import compose_campaign
from evotrainer.campaign.documents import write_json_atomic
from evotrainer.config import SHARED_PLUGINS, Config, DomainConfig, HarnessConfig, config_to_dict
from evotrainer.diagnosis.harness import Harness, package_hash
from evotrainer.domains.problem_sets.loading import load_problems
from evotrainer.engines.checkpoint import policy_hash
from evotrainer.errors import PolicyError
from evotrainer.records import Problem

ROW_DOMAINS = ("code", "swe")
PLAYED = ("benchmarks/fault_injection/rollouts.py", "benchmarks/fault_injection/*_policies.py")
TRAINED = ("benchmarks/fault_injection/training.py",)
"""What makes evidence, beside the package."""
MEASURED = ("benchmarks/failure_modes/*.py", "benchmarks/fault_injection/*.py")
"""What makes measurements of it, beside the harness."""
ROOT = Path(__file__).parents[2]
DRAWS_A_SEED = 100_000
"""Distance between the first draws of two seeds of the bench: more than any of them makes."""
Progress = Callable[[str], None]


@dataclass(frozen=True)
class BenchSize:
    """How much is measured."""

    pool: PoolSize
    num_runs: int
    run_steps: int
    held_problems: int
    injected_seeds: int
    """Cases of each strength; of variants and of played ones, a third."""
    controls: int
    """Healthy versions of each domain."""


FULL = BenchSize(PoolSize(), num_runs=4, run_steps=18, held_problems=60, injected_seeds=15, controls=150)
QUICK = BenchSize(PoolSize(10, 14, 8, 2), num_runs=1, run_steps=9, held_problems=20, injected_seeds=2, controls=6)


def measure_detectors(
    root: Path, out: Path, size: BenchSize, modes: Sequence[str], progress: Progress, seed: int = 0
) -> tuple[list[Recall], list[Alarms]]:
    """Return what was measured of these modes, and of healthy versions; all that is in `out` already is read.

    Under another seed everything that is drawn is drawn anew: attempts, training runs, controls and all faults.

    Raises:
        PolicyError: the embedded math policy has not been built.
        ConfigError: a mode is unknown.

    """
    chosen = list(modes or FAILURE_MODES)
    for mode in chosen:
        find_failure_mode(mode)
    bank, evidence = make_bank(root, out, size, progress, seed)
    harness = Harness(root / "harness_plugins", HarnessConfig(plugins=[*SHARED_PLUGINS]))
    key = _digest([evidence, harness.version, _code(MEASURED)])
    first = seed * DRAWS_A_SEED
    injected, controls = (range(first, first + count) for count in (size.injected_seeds, size.controls))
    recalls = [found for mode in chosen for found in _recalls(out, harness, bank, mode, injected, key, progress)]
    domains = ("math", *ROW_DOMAINS, LINEAGE)
    return recalls, [_alarms(out, harness, bank, domain, controls, key, progress) for domain in domains]


def make_bank(root: Path, out: Path, size: BenchSize, progress: Progress, seed: int) -> tuple[Bank, str]:
    """Return the real evidence, made where `out` does not hold it yet, and its identity."""
    out.mkdir(parents=True, exist_ok=True)
    pools = {domain: _pool(root, out, size, domain, progress, seed) for domain in ROW_DOMAINS}
    config = compose_campaign(["domain=math", f"budget.max_steps={size.run_steps}"])
    policy, trained = _policy(root, config), load_problems(root, config.domain, "train")
    held = _problems(root, config.domain, "validation", size.held_problems)
    key = _digest(
        [
            json.dumps(config_to_dict(config), sort_keys=True),
            policy_hash(policy),
            _texts([*trained, *held]),
            _code(TRAINED),
        ]
    )
    folder, seeds = out / f"math-{key}", range(seed * size.num_runs, (seed + 1) * size.num_runs)
    runs = train_runs(config, policy, trained, held, folder, seeds, progress)
    parts = [key, *(hashlib.sha256(path.read_bytes()).hexdigest() for path in pools.values())]
    sources = {domain: RowSource(read_pool(path, domain)) for domain, path in pools.items()}
    return Bank(sources, runs, config), _digest([*parts, json.dumps(asdict(size), sort_keys=True), str(seed)])


def _pool(root: Path, out: Path, size: BenchSize, domain: str, progress: Progress, seed: int) -> Path:
    """Return where the attempts of a domain lie, played where `out` does not hold them yet."""
    config = DomainConfig(name=domain, data_path=f"data/{domain}")
    problems = [
        *_problems(root, config, "train", size.pool.num_trained),
        *_problems(root, config, "validation", size.pool.num_held),
    ]
    parts = [json.dumps(asdict(size.pool)), str(seed), _texts(problems), _code(PLAYED)]
    path = out / f"{domain}-{_digest(parts)}.jsonl"
    if not path.is_file():
        write_pool(play_pool(config, problems, size.pool, seed, progress), path)
    return path


def _code(patterns: Sequence[str]) -> str:
    """Return a digest of these modules and of the package."""
    sources = sorted(path for pattern in patterns for path in ROOT.glob(pattern))
    return _digest([*(path.read_text(encoding="utf-8") for path in sources), package_hash()])


def _texts(problems: Sequence[Problem]) -> str:
    return _digest([problem.model_dump_json() for problem in problems])


def _problems(root: Path, domain: DomainConfig, split: str, count: int) -> list[Problem]:
    return choose_problems(load_problems(root, domain, split), count)


def _policy(root: Path, config: Config) -> Path:
    path = root / "policies" / config.policy.name
    if not path.is_dir():
        raise PolicyError(f"{path} is not there: run `evotrainer data build`")
    return path


def _recalls(
    out: Path, harness: Harness, bank: Bank, mode: str, injected: range, key: str, progress: Progress
) -> Iterator[Recall]:
    for way in ways_of(mode, bank):
        path = out / "measured" / f"{mode}-{way.replace(' ', '-')}.json"
        stored = _stored(path, key)
        if stored is None:
            seeds = injected if way == INJECTED else injected[: max(2, len(injected) // 3)]
            stored = [found.model_dump() for found in measure_recall(harness, bank, mode, way, seeds)]
            write_json_atomic(path, {"key": key, "rows": stored})
            progress(
                f"{mode}, {way}: {sum(each['num_found'] for each in stored)} of "
                f"{sum(each['num_cases'] for each in stored)} found"
            )
        yield from (Recall.model_validate(each) for each in stored)


def _alarms(
    out: Path, harness: Harness, bank: Bank, domain: str, controls: range, key: str, progress: Progress
) -> Alarms:
    path = out / "measured" / f"controls-{domain}.json"
    stored = _stored(path, key)
    if stored is None:
        stored = [measure_alarms(harness, bank, domain, controls).model_dump()]
        write_json_atomic(path, {"key": key, "rows": stored})
        progress(f"{domain}: {len(controls)} healthy versions")
    return Alarms.model_validate(stored[0])


def _stored(path: Path, key: str) -> list[dict] | None:
    if not path.is_file():
        return None
    stored = json.loads(path.read_text(encoding="utf-8"))
    return stored["rows"] if stored["key"] == key else None


def _digest(parts: Sequence[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
