"""Whether a person's own policy can be used, by its files and sizes alone, and whether the machine has what it takes.

The default learning rate and token budgets belong to the embedded policies, of width 64. A wider one gets the preset of
its size, unless a person names a preset; what a person sets goes before it. A wider policy that would still take over
such a setting is refused: a learning rate 64 times too high would spoil every version of a campaign.
"""

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from conf.compose import compose_campaign, groups
from evotrainer.campaign.chat_endpoint import ChatEndpoint
from evotrainer.campaign.ledger import bytes_text
from evotrainer.config import Config, config_to_dict, flatten
from evotrainer.config.limits import OWN_SIGN
from evotrainer.domains import DOMAINS
from evotrainer.domains.problem_sets.loading import problem_of
from evotrainer.engines.checkpoint import open_checkpoint, read_model_config, read_settings
from evotrainer.engines.memory import GB, check_memory, estimate_memory, free_memory, prompt_length
from evotrainer.engines.model_files import (
    NAMES,
    ModelShape,
    check_sizes,
    check_weight_files,
    read_headers,
    read_shape,
    read_size,
    text_settings,
)
from evotrainer.errors import ConfigError, EvoTrainerError, PolicyError
from evotrainer.training import create_train_engine
from evotrainer.training.warm_up import check_one_turn, read_demonstrations
from flows.workspace.checks import Check, Start
from flows.workspace.git import untracked
from flows.workspace.own_files import absent, reading_for, refuse_links, source_of
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
    named = _named(start.overrides)
    own = [key for key in values if named & {key, key.partition(".")[0]}]
    chosen = ", ".join(f"{key}={value}" for key, value in values.items() if key not in own)
    kept = f"; your own {', '.join(own)} go before it" if own else ""
    name = start.preset[0].partition("=")[2]
    return [Check("preset", "ok", f"{name}, by its size: {chosen}{kept}; set a key to change it")]


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


def look_at_own_code(start: Start) -> list[Check]:
    """Raise ConfigError for a module of the checkout that git does not know: the campaign's worktree would lack it."""
    config = start.config
    named = [config.domain.name, *config.domain.terms, config.trainer.name, config.search.name]
    modules = [sys.modules.get(name.partition(OWN_SIGN)[0]) for name in (*named, *config.tracking.trackers)]
    files = [Path(file).resolve() for module in modules if (file := getattr(module, "__file__", None))]
    inside = [str(file.relative_to(start.main)) for file in files if file.is_relative_to(start.main)]
    if lost := untracked(start.main, inside) if inside else []:
        raise ConfigError(f"git does not know {lost[0]}, so that the campaign would lack it: `git add {lost[0]}`")
    return []


OF_MACHINE = (look_at_own_code, look_at_endpoints, look_at_policy, look_at_warm_up, look_at_memory, look_at_disk)
"""At what the machine holds and reaches now."""


def _is_sound(own: Path) -> bool:
    try:
        check_folder(own)
    except EvoTrainerError:
        return False
    return True


def version_bytes(start: Start) -> int:
    """Return what one version takes, in the cache and once more in a remote on this machine."""
    copies = 1 if "://" in default_remote(start.main) else 2
    shape = shape_of(start.own_policy) if start.own_policy else None
    if shape is None:
        return copies * EMBEDDED_BYTES
    engine = start.config.engine
    weights = engine.lora.rank * sum(map(sum, shape.adapter_shapes(engine.lora.targets))) or shape.num_weights
    return copies * (weights * _SIZES[engine.precision] + EVIDENCE_BYTES)


SCALED = ("algorithm.learning_rate", "sampling.max_response_tokens", "evaluate.max_response_tokens")
"""Keys whose default was chosen for the embedded policies."""
MIN_RATIO = 4
"""Times their width from which a policy is of another size."""
EMBEDDED_WIDTH = 64
RULE_WIDTH, RULE_RATE = 4096, 1e-6
"""Width and learning rate of the recipe that the rule scales (docs/recipe.md)."""
BY_SIZE = (("size_100m", 0.2e9), ("size_1b", 2e9), ("size_4b", 6e9), ("size_9b", 15e9))
"""Presets by the number of weights up to which each is meant."""
PROMPTS = {
    "math": "Reason step by step, and put your final answer within \\boxed{}.",
    "code": "Answer with one fenced block of Python.",
}
"""System prompts of domains whose answers have a form that a policy must be told."""


def size_preset(main: Path, config: Config, overrides: Sequence[str]) -> list[str]:
    """Return the overrides that a policy's size adds, which stand before a person's own; nothing where none are."""
    named = _named(overrides)
    policy = source_of(main, config.policy.path) if config.policy.path else None
    if policy is None or "preset" in named or not _is_of_another_size(policy):
        return []
    try:
        num_weights = read_shape(policy).num_weights
    except PolicyError:
        return []
    name = next((name for name, most in BY_SIZE if num_weights <= most), None)
    if name is None:
        return []
    prompt = PROMPTS.get(config.domain.name)
    is_silent = prompt and not config.domain.system_prompt and "domain.system_prompt" not in named
    return [f"preset={name}", *([f"domain.system_prompt='{prompt}'"] if is_silent else [])]


def check_defaults(policy: Path, config: Config, overrides: Sequence[str]) -> None:
    """Raise ConfigError where a policy of another size would train on defaults of the embedded ones.

    A preset that is named speaks for itself, where it repeats a default too.
    """
    named = _named(overrides)
    has_preset = "preset" in named and "preset=none" not in overrides
    if has_preset or not _is_of_another_size(policy):
        return
    width = _width(policy)
    assert width is not None
    domain = [f"domain={config.domain.name}"] if config.domain.name in DOMAINS else []
    default = flatten(config_to_dict(compose_campaign(domain)))
    found = flatten(config_to_dict(config))
    kept = [key for key in SCALED if found[key] == default[key] and key not in named]
    if kept:
        presets = ", ".join(name for name in groups()["preset"] if name != "none")
        raise ConfigError(
            f"the policy has width {width} and would take over {', '.join(f'{key}={found[key]:g}' for key in kept)}, "
            f"which are for the embedded policy of width {EMBEDDED_WIDTH}: set them (by the rule "
            f"of docs/recipe.md algorithm.learning_rate={RULE_RATE * RULE_WIDTH / width:.2g}), or name a preset "
            f"({presets})"
        )


def _named(overrides: Sequence[str]) -> set[str]:
    return {override.partition("=")[0].strip().lstrip("+") for override in overrides}


def _is_of_another_size(policy: Path) -> bool:
    width = _width(policy)
    return width is not None and width >= MIN_RATIO * EMBEDDED_WIDTH


def _width(policy: Path) -> int | None:
    """Return the hidden size that a policy's configuration states; None where it states none."""
    try:
        return read_size(policy, text_settings(policy), NAMES["hidden"])
    except PolicyError:
        return None
