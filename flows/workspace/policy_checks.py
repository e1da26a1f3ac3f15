"""Whether a person's own policy can be used, by its files and sizes alone, and whether the machine has room for it."""

import shutil
from pathlib import Path

from evotrainer.domains.problem_sets.loading import problem_of
from evotrainer.engines.checkpoint import open_checkpoint, read_model_config, read_settings
from evotrainer.engines.memory import GB, check_memory, estimate_memory, free_memory, prompt_length
from evotrainer.engines.model_files import ModelShape, check_sizes, check_weight_files, read_headers, read_shape
from evotrainer.errors import EvoTrainerError, PolicyError
from evotrainer.training import create_train_engine
from flows.workspace.checks import Check, Start
from flows.workspace.own_files import absent, refuse_links
from flows.workspace.policy_defaults import check_defaults
from flows.workspace.storage import MIN_FREE_BYTES, check_free_space, default_remote

EMBEDDED_BYTES = 5_000_000
"""Model and evidence of a version of an embedded policy."""
EVIDENCE_BYTES = 50_000_000
"""Evidence of a version of a larger policy, at a thousand tokens an attempt."""
_SIZES = {"float32": 4, "bfloat16": 2}
_WITH_CODE = ("config.json", "tokenizer_config.json")


def look_at_policy(start: Start) -> list[Check]:
    """Name the base policy and what it trains on.

    Raises:
        ConfigError: there is no such folder, it holds links, or it would train on settings of the embedded policies.
        PolicyError: its config or weights are missing or damaged, or the sizes in both differ.

    """
    own = start.own_policy
    if own is None:
        return [Check("policy", "ok", f"the embedded {start.config.policy.name}")]
    if not own.is_dir():
        raise absent(start.main, "policy.path", start.config.policy.path)
    check_folder(own)
    check_weight_files(own)
    check_defaults(own, start.config, start.overrides)
    shape = shape_of(own)
    size = f", {shape.num_weights / 1e6:.4g} million weights of width {shape.hidden}" if shape else ""
    return [Check("policy", "ok", f"{own}{size}"), *code_in(own), *_preset(start)]


def check_folder(own: Path) -> None:
    """Refuse a folder that nothing else need look at.

    Raises:
        ConfigError: it holds links, or what is no plain file.
        PolicyError: config.json or the weights are missing or damaged, or the sizes in both differ.

    """
    refuse_links(own)
    if not read_model_config(own).get("model_type"):
        raise PolicyError(f"{own / 'config.json'} names no model_type: restore the directory")
    check_sizes(own)
    read_headers(own)


def code_in(own: Path) -> list[Check]:
    """Return a warning for each file that names code in the folder."""
    named = [own / name for name in _WITH_CODE if (own / name).is_file() and "auto_map" in read_settings(own / name)]
    return [Check("policy", "warning", f"{file} names code of its own (auto_map): it is never run") for file in named]


def shape_of(policy: Path) -> ModelShape | None:
    """Return the shape of a policy; None where its files do not tell it."""
    try:
        return read_shape(open_checkpoint(policy).base)
    except PolicyError:
        return None


def _preset(start: Start) -> list[Check]:
    if not start.preset:
        return []
    config = start.config
    values = {
        "algorithm.learning_rate": f"{config.algorithm.learning_rate:g}",
        "sampling.max_response_tokens": config.sampling.max_response_tokens,
        "engine.precision": config.engine.precision,
        "domain.system_prompt": repr(config.domain.system_prompt),
    }
    chosen = ", ".join(f"{key}={value}" for key, value in values.items())
    name = start.preset[0].partition("=")[2]
    return [Check("preset", "ok", f"{name}, by its size: {chosen}; set a key to change it")]


def look_at_memory(start: Start) -> list[Check]:
    """Compare what training takes with what the device has; raises CapacityError or PolicyError where it cannot be."""
    own, config = start.own_policy, start.config
    if own is None or not own.is_dir() or not _is_sound(own):
        return []  # the look at the policy says what is wrong
    missing = create_train_engine(config).examine(config, own).missing
    if missing:
        raise PolicyError("; ".join(missing))
    if config.engine.train != "torch":
        return [Check("device", "ok", f"engine.train={config.engine.train} finds what it needs")]
    device, base, free = free_memory(config.engine.device)
    found = [Check("device", "ok", f"{device}, {free / GB:.1f} GB of memory free")]
    rows = start.own_rows().get("train", [])
    prompts = [problem_of(row, config.domain.name, "train").prompt for row in rows]
    check_memory(config, own, prompts)
    try:
        shape = read_shape(own)
    except PolicyError:  # raised by check_memory above, unless a person wants no estimate
        return [*found, Check("memory", "warning", f"{own / 'config.json'} does not say enough for an estimate")]
    needed = estimate_memory(config, shape, prompt_length(prompts), device, base)
    return [*found, Check("memory", "ok", f"training takes about {_amount(needed.total - base)} of it")]


def look_at_disk(start: Start) -> list[Check]:
    """Compare what all versions take with what is free; raises LineageError where not even one has room."""
    size = version_bytes(start)
    check_free_space(start.main, MIN_FREE_BYTES + size)
    free, total = shutil.disk_usage(start.main).free, size * start.config.num_versions
    text = f"{_amount(size)} a version, {_amount(total)} for {start.config.num_versions}, {_amount(free)} free"
    if total + MIN_FREE_BYTES > free:
        return [Check("disk", "warning", f"{text}: the campaign will stop when it is full; set num_versions lower")]
    return [Check("disk", "ok", text)]


def _is_sound(own: Path) -> bool:
    try:
        check_folder(own)
    except EvoTrainerError:
        return False
    return True


def _amount(num_bytes: float) -> str:
    """Return an amount as a person reads it: 12 MB, 0.9 GB."""
    return f"{num_bytes / GB:.1f} GB" if num_bytes >= GB / 2 else f"{1000 * num_bytes / GB:.0f} MB"


def version_bytes(start: Start) -> int:
    """Return what one version takes, in the cache and once more in a remote on this machine."""
    copies = 1 if "://" in default_remote(start.main) else 2
    shape = shape_of(start.own_policy) if start.own_policy else None
    if shape is None:
        return copies * EMBEDDED_BYTES
    engine = start.config.engine
    weights = engine.lora.rank * sum(map(sum, shape.adapter_shapes(engine.lora.targets))) or shape.num_weights
    return copies * (weights * _SIZES[engine.precision] + EVIDENCE_BYTES)
