"""Train the version's policy under its recipe, unless its backtest was refused.

What did not train is a closed version too: model/ then holds a file UNTRAINED and training.json says why. The seed of
training is the campaign's with the version's replicate: all versions draw alike, and a retraining draws anew.
"""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

from evotrainer.campaign.costs import write_tokens
from evotrainer.campaign.layout import CampaignFiles, VersionFiles
from evotrainer.config import load_config
from evotrainer.domains.judge import start_record
from evotrainer.engines.base import FitResult
from evotrainer.evidence import read_signals
from evotrainer.records import Backtest, Signals, VersionSpec
from evotrainer.training.run import train_recipe

UNTRAINED = "UNTRAINED"


def run(files: CampaignFiles, version: str) -> None:
    """Write model/, training/, training.json and curve.json of the version."""
    own = files.version(version)
    backtest = Backtest.model_validate_json(own.backtest.read_bytes())
    start_record(load_config(own.config).domain, own.judge / "train.jsonl")
    if not backtest.accepted:
        _mark_untrained([own.model, own.training], backtest.reason)
        _write_summary(own, trained=False, reason=backtest.reason)
        _write_curve(own, [])
        write_tokens(own, "train", 0)
        return
    spec = VersionSpec.model_validate_json(own.spec.read_bytes())
    scratch = files.root / "scratch" / "train" / spec.version
    result = train_recipe(files, spec, load_config(own.config), own.root, scratch)
    if result.label:
        reason = f"stopped after step {result.num_steps}: {result.label}"
        _mark_untrained([own.model], reason)
        _write_summary(own, trained=False, reason=reason, result=result)
    else:
        _write_summary(own, trained=True, reason="", result=result)
    _write_curve(own, read_signals(own.training))
    write_tokens(own, "train", result.num_tokens)


def _mark_untrained(folders: Sequence[Path], reason: str) -> None:
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (folder / UNTRAINED).write_text(f"{reason}\n")


def _write_summary(own: VersionFiles, *, trained: bool, reason: str, result: FitResult | None = None) -> None:
    summary = {
        "trained": trained,
        "reason": reason,
        "label": result.label if result else "",
        "num_steps": result.num_steps if result else 0,
        "num_tokens": result.num_tokens if result else 0,
        "policy_hash": result.policy_hash if result and trained else None,
    }
    own.training_summary.write_text(json.dumps(summary, indent=2, sort_keys=True) + "\n")


def _write_curve(own: VersionFiles, signals: Sequence[Signals]) -> None:
    names = ("loss", "grad_norm", "kl", "entropy", "dead_group_ratio")
    rows = [
        {"step": row.step, "reward": row.extra["reward"], **{name: getattr(row, name) for name in names}}
        for row in signals
    ]
    own.curve.write_text(json.dumps(rows, indent=1) + "\n")
