"""Whether device, memory and disk suffice, by estimates that load nothing."""

import shutil
from pathlib import Path

from evotrainer.domains.problem_sets.loading import problem_of, split_rows
from evotrainer.engines.checkpoint import open_checkpoint
from evotrainer.engines.memory import GB, check_memory, estimate_memory, free_memory, prompt_length
from evotrainer.engines.model_files import ModelShape, read_shape
from evotrainer.errors import DataError, PolicyError
from evotrainer.training import create_train_engine
from flows.workspace.check import Check
from flows.workspace.checks.base import Start
from flows.workspace.checks.folder import is_sound
from flows.workspace.own_files import reading_for
from flows.workspace.storage import MIN_FREE_BYTES, check_free_space, default_remote

EMBEDDED_BYTES = 5_000_000
"""Model and evidence of a version of an embedded policy."""
EVIDENCE_BYTES = 50_000_000
"""Evidence of a version of a larger policy, at a thousand tokens an attempt."""
_SIZES = {"float32": 4, "bfloat16": 2}


def shape_of(policy: Path) -> ModelShape | None:
    """Return the shape of a policy; None where its files do not tell it."""
    try:
        return read_shape(open_checkpoint(policy).base)
    except PolicyError:
        return None


def look_at_memory(start: Start) -> list[Check]:
    """Compare what training takes with what the device has; raises CapacityError or PolicyError where it cannot be."""
    own, config = start.own_policy, start.config
    if own is None or not own.is_dir() or not is_sound(own):
        return []  # the look at the policy says what is wrong
    missing = create_train_engine(config).examine(config, own).missing
    if missing:
        raise PolicyError("; ".join(missing))
    if config.engine.train != "torch":
        return [Check("device", "ok", f"engine.train={config.engine.train} finds what it needs")]
    device, base, free = free_memory(config.engine.device)
    found = [Check("device", "ok", f"{device}, {free / GB:.1f} GB of memory free")]
    prompts = _prompts(start)
    check_memory(config, own, prompts)
    try:
        shape = read_shape(own)
    except PolicyError:  # raised by check_memory above, unless a person wants no estimate
        return [*found, Check("memory", "warning", f"{own / 'config.json'} does not say enough for an estimate")]
    needed = estimate_memory(config, shape, prompt_length(prompts), device, base)
    return [*found, Check("memory", "ok", f"training takes about {_amount(needed.total - base)} of it")]


def look_at_disk(start: Start) -> list[Check]:
    """Compare what all versions take with what is free; raises LineageError where not even one has room."""
    size = _version_bytes(start)
    check_free_space(start.main, MIN_FREE_BYTES + size)
    free, total = shutil.disk_usage(start.main).free, size * start.config.num_versions
    text = f"{_amount(size)} a version, {_amount(total)} for {start.config.num_versions}, {_amount(free)} free"
    if total + MIN_FREE_BYTES > free:
        return [Check("disk", "warning", f"{text}: the campaign will stop when it is full; set num_versions lower")]
    return [Check("disk", "ok", text)]


def _amount(num_bytes: float) -> str:
    """Return an amount as a person reads it: 12 MB, 0.9 GB."""
    return f"{num_bytes / GB:.1f} GB" if num_bytes >= GB / 2 else f"{1000 * num_bytes / GB:.0f} MB"


def _version_bytes(start: Start) -> int:
    """Return what one version takes, in the cache and once more in a remote on this machine."""
    copies = 1 if "://" in default_remote(start.main) else 2
    shape = shape_of(start.own_policy) if start.own_policy else None
    if shape is None:
        return copies * EMBEDDED_BYTES
    engine = start.config.engine
    weights = engine.lora.rank * sum(map(sum, shape.adapter_shapes(engine.lora.targets))) or shape.num_weights
    return copies * (weights * _SIZES[engine.precision] + EVIDENCE_BYTES)


def _prompts(start: Start) -> list[str]:
    if start.own_problems is None:
        return []
    try:
        rows = split_rows(start.own_problems, start.config.domain.name, reading_for(start.main, start.config))
    except DataError:  # the look at the problems says what is wrong with them
        return []
    return [problem_of(row, start.config.domain.name, "train").prompt for row in rows.get("train", [])]
