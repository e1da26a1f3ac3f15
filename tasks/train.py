"""Train the version's policy under its recipe, unless its backtest was refused; two kinds are supervised.

    warm_up        worked answers of the train split, none attempted         training/ says so
    distillation   the start's own right attempts at the train problems      training/ holds all attempts

What did not train is a closed version too: model/ then holds a file WHY and training.json says why. The seed of
training is the campaign's with the version's replicate: all versions draw alike, and a retraining draws anew.
"""

import json
import math
import shutil
from collections.abc import Sequence
from dataclasses import replace

from evotrainer.campaign.chat_endpoint import start_record
from evotrainer.campaign.documents import emptied, emptied_because, write_atomic
from evotrainer.campaign.layout import CampaignFiles, VersionFiles
from evotrainer.campaign.ledger import write_tokens
from evotrainer.config import Config, load_config
from evotrainer.domains.problem_sets.loading import load_problems
from evotrainer.engines import policy_path
from evotrainer.evidence.rows import Rows
from evotrainer.evidence.score_table import SAMPLED_STEP
from evotrainer.evidence.store import read_signals, write_rows
from evotrainer.records import Signals, TrainingSummary, Trajectory, VersionSpec
from evotrainer.rollouts.episodes import EpisodeIdentity
from evotrainer.rollouts.evaluation import open_version, sample_attempts
from evotrainer.training.base import FitResult
from evotrainer.training.replicates import start_of, train_recipe
from evotrainer.training.warm_up import read_demonstrations, right_attempts, warm_up


def run(files: CampaignFiles, version: str) -> None:
    """Write model/, training/, training.json and curve.json of the version."""
    own = files.version(version)
    config = load_config(own.config)
    backtest = own.backtest.read()
    start_record(config.domain, own.judge / "train.jsonl")
    if not backtest.accepted:
        emptied_because(backtest.reason, own.model, own.training)
        own.training_summary.write(TrainingSummary(trained=False, reason=backtest.reason))
        _write_curve(own, [])
        write_tokens(own, "train", 0)
        return
    spec = own.spec.read()
    if spec.kind in ("warm_up", "distillation"):
        _supervise(files, own, config)
        return
    scratch = files.root / "scratch" / "train" / spec.version
    result = train_recipe(files, spec, config, own.root, scratch)
    if result.label:
        emptied_because(_reason(result), own.model, *([] if result.num_steps else [own.training]))
    own.training_summary.write(_summary(result))
    _write_curve(own, read_signals(own.training) if result.num_steps else [])
    write_tokens(own, "train", result.num_tokens)


def _supervise(files: CampaignFiles, own: VersionFiles, config: Config) -> None:
    """Show the start worked answers of the train split, or its own right attempts."""
    spec, data = own.spec.read(), files.root / config.domain.data_path
    policy, tokens = policy_path(files, config, start_of(config, spec)), 0
    if spec.kind == "distillation":
        rows = _attempts(files, spec, config)
        right, tokens = right_attempts(Rows.of(rows)), sum(row.num_tokens for row in rows)
        config = replace(config, warm_up=replace(config.warm_up, rows=len(right)))
        shown = read_demonstrations(data, None, config, attempts=right)
        write_rows(emptied(own.training), SAMPLED_STEP, rows)
    else:
        shown = read_demonstrations(data, None, config)
        emptied_because(f"{len(shown.problems)} worked answers were shown, none was attempted", own.training)
    shutil.rmtree(own.model, ignore_errors=True)
    made = warm_up(config, policy, shown, own.model)
    hash_, steps = made.policy_hash, len(made.losses)
    own.training_summary.write(TrainingSummary(trained=True, num_steps=steps, num_tokens=tokens, policy_hash=hash_))
    curve = [{"step": step, "loss": loss} for step, loss in enumerate(made.losses)]
    write_atomic(own.curve, json.dumps(curve, indent=1) + "\n")
    write_tokens(own, "train", tokens)


def _attempts(files: CampaignFiles, spec: VersionSpec, config: Config) -> list[Trajectory]:
    """Return the rows of attempts at all train problems by the policy that a version starts from."""
    engine = open_version(files, config, start_of(config, spec))
    identity = EpisodeIdentity(spec.campaign, spec.version, "train", spec.campaign_seed, SAMPLED_STEP)
    problems = load_problems(files.root, config.domain, "train")
    return sample_attempts(engine, problems, config.warm_up.attempts, config, identity)


def _reason(result: FitResult) -> str:
    detail = f" ({result.detail})" if result.detail else ""
    return f"stopped after step {result.num_steps}: {result.label}{detail}" if result.label else ""


def _summary(result: FitResult) -> TrainingSummary:
    return TrainingSummary(
        trained=not result.label,
        reason=_reason(result),
        label=result.label,
        num_steps=result.num_steps,
        num_tokens=result.num_tokens,
        policy_hash=None if result.label else result.policy_hash,
    )


def _write_curve(version_files: VersionFiles, signals: Sequence[Signals]) -> None:
    names = ("loss", "grad_norm", "kl", "entropy", "dead_group_ratio")
    rows = [
        {"step": row.step, "reward": row.extra["reward"], **{name: _known(getattr(row, name)) for name in names}}
        for row in signals
    ]
    write_atomic(version_files.curve, json.dumps(rows, indent=1) + "\n")


def _known(value: float) -> float | None:
    """Return a signal; None for one that the engine did not measure."""
    return value if math.isfinite(value) else None
