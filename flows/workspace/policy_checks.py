"""Whether a person's own policy can be used, by its files and sizes alone, and whether the machine has what it takes.

The default learning rate and token budgets belong to the embedded policies, of a million weights. A larger one gets the
preset of its size, unless a person names a preset; what a person sets goes before it.
"""

import math
import shutil
from collections.abc import Sequence
from pathlib import Path

from evotrainer.campaign.chat_endpoint import ChatEndpoint
from evotrainer.campaign.ledger import bytes_text
from evotrainer.config import Config
from evotrainer.domains.problem_sets.loading import problem_of
from evotrainer.engines.checkpoint import open_checkpoint, read_model_config
from evotrainer.engines.memory import GB, check_memory, estimate_memory, free_memory, prompt_length
from evotrainer.engines.model_files import ModelShape, check_weight_files, read_headers, read_shape
from evotrainer.errors import ConfigError, EvoTrainerError, PolicyError
from evotrainer.training import create_train_engine
from evotrainer.training.warm_up import check_one_turn, read_demonstrations
from flows.workspace.checks import Check, Start
from flows.workspace.own_files import absent, reading_for, source_of
from flows.workspace.storage import MIN_FREE_BYTES, check_free_space, default_remote

EMBEDDED_BYTES = 5_000_000
"""Model and evidence of a version of an embedded policy."""
EVIDENCE_BYTES = 50_000_000
"""Evidence of a version of a larger policy, at a thousand tokens an attempt."""
_SIZES = {"float32": 4, "bfloat16": 2}


def look_at_policy(start: Start) -> list[Check]:
    """Name the base policy and what it trains on.

    Raises:
        ConfigError: there is no such folder.
        PolicyError: its config or weights are missing or damaged.

    """
    own = start.own_policy
    if own is None:
        return [Check("policy", "ok", f"the embedded {start.config.policy.name}")]
    if not own.is_dir():
        raise absent(start.main, "policy.path", start.config.policy.path)
    check_folder(own)
    check_weight_files(own)
    shape = shape_of(own)
    size = f", {shape.num_weights / 1e6:.4g} million weights of width {shape.hidden}" if shape else ""
    return [Check("policy", "ok", f"{own}{size}"), *_preset(start)]


def check_folder(own: Path) -> None:
    """Raise PolicyError where config.json or the weights are missing or damaged."""
    if not read_model_config(own).get("model_type"):
        raise PolicyError(f"{own / 'config.json'} names no model_type: restore the directory")
    read_headers(own)


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
    name, shown = start.preset[0].partition("=")[2], ", ".join(f"{key}={value}" for key, value in values.items())
    return [Check("preset", "ok", f"{name}, by its size: {shown}; set a key to change it")]


def look_at_warm_up(start: Start) -> list[Check]:
    """Count the worked answers that the campaign begins with, and the stages after them.

    Raises:
        ConfigError: no version would start from a supervised stage, or the domain has none.
        DataError: they are no worked answers, or show problems that are judged on.

    """
    config = start.config
    if not config.warm_up.stages:
        return []
    if config.init != "parent":
        raise ConfigError("warm_up needs init=parent: with init=base no version would start from the warm-up")
    if config.engine.lora.rank:
        raise ConfigError(
            "warm_up trains all weights, and an adapter stands on those of policy.path: leave it out, and warm "
            "the policy up with `evotrainer policy sft`"
        )
    if not start.problems.exists():
        return []  # the look at the problems says so, or they are built when the campaign starts
    said = []
    if config.warm_up.rows:
        shown = read_demonstrations(start.problems, None, config, reading_for(start.main, config))
        said = [f"{len(shown.problems)} worked answers"]
    if config.warm_up.rounds:
        check_one_turn(config)
        most = f"{config.warm_up.rounds} rounds" if config.warm_up.rounds > 1 else "one round"
        said.append(f"own right attempts of {config.warm_up.attempts} a train problem, {most} at most")
    return [Check("warm-up", "ok", f"shown before reinforcement learning: {'; '.join(said)}")]


def look_at_memory(start: Start) -> list[Check]:
    """Compare what training takes with what the device has; raises PolicyError where it cannot be."""
    own, config = start.own_policy, start.config
    if own is None:
        return []
    try:
        check_folder(own)
    except EvoTrainerError:
        return []  # the look at the policy says what is wrong
    if missing := create_train_engine(config).missing(config):
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
    return [*found, Check("memory", "ok", f"training takes about {bytes_text(needed.total - base)} of it")]


def look_at_disk(start: Start) -> list[Check]:
    """Compare what all versions take with what is free; raises LineageError where not even one has room."""
    size = version_bytes(start)
    check_free_space(start.main, MIN_FREE_BYTES + size)
    free, total = shutil.disk_usage(start.main).free, size * start.config.num_versions
    text = f"{bytes_text(size)} a version, {bytes_text(total)} for {start.config.num_versions}, {bytes_text(free)} free"
    if total + MIN_FREE_BYTES > free:
        return [Check("disk", "warning", f"{text}: the campaign will stop when it is full; set num_versions lower")]
    return [Check("disk", "ok", text)]


def look_at_endpoints(start: Start) -> list[Check]:
    """Raise ConfigError for a judge or a chat endpoint that does not answer; a warning where it lacks the model."""
    config, found = start.config, []
    for key, url, model in (
        ("domain.judge_url", config.domain.judge_url, config.domain.judge_model),
        ("trainer.chat_url", config.trainer.chat_url, config.trainer.model),
    ):
        served = ChatEndpoint(url, key).models() if url else []
        if served and model not in served:
            found.append(Check("endpoint", "warning", f"{key} serves {', '.join(served[:3])}, and not {model!r}"))
    return found


OF_MACHINE = (look_at_endpoints, look_at_policy, look_at_warm_up, look_at_memory, look_at_disk)
"""At what the machine holds and reaches now."""


def version_bytes(start: Start) -> int:
    """Return what one version takes, in the cache and once more in a remote on this machine."""
    copies = 1 if "://" in default_remote(start.main) else 2
    shape = shape_of(start.own_policy) if start.own_policy else None
    if shape is None:
        return copies * EMBEDDED_BYTES
    engine = start.config.engine
    weights = engine.lora.rank * sum(map(sum, shape.adapter_shapes(engine.lora.targets))) or shape.num_weights
    return copies * (weights * _SIZES[engine.precision] + EVIDENCE_BYTES)


MIN_WEIGHTS = 10_000_000
"""From which a policy is of another size than the embedded ones."""
BY_SIZE = (("size_100m", 0.2e9), ("size_1b", 2e9), ("size_4b", 6e9), ("size_9b", math.inf))
"""Presets by the number of weights up to which each is meant."""
PROMPTS = {
    "math": "Reason step by step, and put your final answer within \\boxed{}.",
    "code": "Answer with one fenced block of Python.",
}
"""System prompts of domains whose answers have a form that a policy must be told."""


def size_preset(main: Path, config: Config, overrides: Sequence[str]) -> list[str]:
    """Return the overrides that a policy's size adds, which stand before a person's own; nothing where none are."""
    named = {override.partition("=")[0].strip().lstrip("+") for override in overrides}
    if not config.policy.path or "preset" in named:
        return []
    try:
        num_weights = sum(map(math.prod, read_headers(source_of(main, config.policy.path)).values()))
    except (OSError, PolicyError):
        return []
    if num_weights < MIN_WEIGHTS:
        return []
    name = next(name for name, most in BY_SIZE if num_weights <= most)
    prompt = PROMPTS.get(config.domain.name)
    is_silent = prompt and not config.domain.system_prompt and "domain.system_prompt" not in named
    return [f"preset={name}", *([f"domain.system_prompt='{prompt}'"] if is_silent else [])]
