"""Train the version's policy under its recipe, unless its backtest was refused; a warm-up is supervised.

What did not train is a closed version too: model/ then holds a file UNTRAINED and training.json says why. The seed of
training is the campaign's with the version's replicate: all versions draw alike, and a retraining draws anew.
"""

import json
import math
import shutil
from collections.abc import Sequence
from pathlib import Path

from evotrainer.campaign.answers import start_record
from evotrainer.campaign.documents import emptied, write_atomic
from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles, VersionFiles
from evotrainer.campaign.ledger import write_tokens
from evotrainer.config import Config, load_config
from evotrainer.engines import policy_path
from evotrainer.evidence.store import read_signals
from evotrainer.records import Signals, TrainingSummary
from evotrainer.training.base import FitResult
from evotrainer.training.replicates import train_recipe
from evotrainer.training.warm_up import read_demonstrations, warm_up

UNTRAINED, WARM_UP = "UNTRAINED", "WARM_UP"


def run(files: CampaignFiles, version: str) -> None:
    """Write model/, training/, training.json and curve.json of the version."""
    own = files.version(version)
    config = load_config(own.config)
    backtest = own.backtest.read()
    start_record(config.domain, own.judge / "train.jsonl")
    if not backtest.accepted:
        _mark_untrained([own.model, own.training], backtest.reason)
        own.training_summary.write(TrainingSummary(trained=False, reason=backtest.reason))
        _write_curve(own, [])
        write_tokens(own, "train", 0)
        return
    spec = own.spec.read()
    if spec.kind == "warm_up":
        _warm_up(files, own, config)
        return
    scratch = files.root / "scratch" / "train" / spec.version
    result = train_recipe(files, spec, config, own.root, scratch)
    if result.label:
        without = [own.model, *([] if result.num_steps else [own.training])]
        _mark_untrained(without, _reason(result))
    own.training_summary.write(_summary(result))
    _write_curve(own, read_signals(own.training) if result.num_steps else [])
    write_tokens(own, "train", result.num_tokens)


def _warm_up(files: CampaignFiles, own: VersionFiles, config: Config) -> None:
    """Show the base policy worked answers of the train split; it attempts nothing, so training/ holds no rows."""
    policy, data = policy_path(files, config, BASE_VERSION), files.root / config.domain.data_path
    shown = read_demonstrations(data, None, config)
    shutil.rmtree(own.model, ignore_errors=True)
    made = warm_up(config, policy, shown, own.model)
    note = f"{len(shown.problems)} worked answers were shown, none was attempted\n"
    write_atomic(emptied(own.training) / WARM_UP, note)
    summary = TrainingSummary(trained=True, num_steps=len(made.losses), policy_hash=made.policy_hash)
    own.training_summary.write(summary)
    curve = [{"step": step, "loss": loss} for step, loss in enumerate(made.losses)]
    write_atomic(own.curve, json.dumps(curve, indent=1) + "\n")
    write_tokens(own, "train", 0)


def _mark_untrained(folders: Sequence[Path], reason: str) -> None:
    for folder in folders:
        write_atomic(emptied(folder) / UNTRAINED, f"{reason}\n")


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
