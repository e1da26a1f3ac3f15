"""Stages of a campaign that costs seconds: the real records, files and exits, without a policy.

They take the place of the stages in tasks/ in a scratch repository, to test what surrounds stages: worktrees, DVC,
Prefect, locks, death and reproduction. The environment may name a JSON file that tells a stage to leave its pid and
name in a folder (`started`), to leave the names of its environment there (`sees`), to wait for a file (`until`) or to
fail: {"train": {"started": ..., "sees": ..., "until": ..., "fail": ...}}.
"""

import hashlib
import json
import os
import shutil
import time
from pathlib import Path

from conf.compose import load_campaign, write_intervention, write_unchanged
from evotrainer.campaign.gates import given_up, refused_candidates
from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles
from evotrainer.campaign.ledger import usage
from evotrainer.campaign.repository import load_records, read_code, save_config, write_code
from evotrainer.config import load_config
from evotrainer.config.interventions import build, read_written, with_values
from evotrainer.errors import EvoTrainerError
from evotrainer.records import (
    Backtest,
    Certificate,
    CertifiedScore,
    Confirmation,
    HarnessReport,
    Prediction,
    Proposal,
    Verdict,
    VersionSpec,
)

CHOICES = [("algorithm.kl_coefficient", 0.0), ("algorithm.learning_rate", 1e-4), ("sampling.temperature", 0.9)]


def rollout(files: CampaignFiles, version: str) -> None:
    _obey("rollout")
    spec = _spec(files, version)
    out = files.version(version).rollout
    if source := spec.shares.get("rollout"):
        shutil.copytree(files.version(source).rollout, out, dirs_exist_ok=True)
        return
    out.mkdir(parents=True, exist_ok=True)
    (out / "rows.txt").write_text(f"rows of {spec.incumbent} seed {spec.campaign_seed}\n" + _code_mark())


def diagnose(files: CampaignFiles, version: str) -> None:
    _obey("diagnose")
    report = HarnessReport(version=version, harness_version="small", metrics={"solve_rate": 0.5})
    files.version(version).findings.write(report)


def propose(files: CampaignFiles, version: str) -> None:
    _obey("propose")
    own, spec, config = files.version(version), _spec(files, version), load_campaign(files)
    pool = []
    files_of_code: dict[str, str] = {}
    if spec.kind == "baseline" or given_up(own):
        write_unchanged(files, version, None, "a start")
    else:
        tried = len(load_records(own.lineage)) + spec.slot + len(refused_candidates(own))
        key, value = CHOICES[tried % len(CHOICES)]
        for name in config.trainer.interventions if key == CHOICES[0][0] else ():
            written = read_written(own.written / f"{name}.yaml")
            ((key, value),) = written.setting.items()
            files_of_code = written.files
        prediction = Prediction(metric="solve_rate", direction="up", size=0.1, low=0.0, high=0.2, probability=0.7)
        pool = [
            build(
                config,
                {key: value},
                author="rules",
                success=[],
                prediction=prediction,
                parents=spec.parents,
                hypothesis="if raised then solve_rate rises because it does",
                limits=[],
                evidence=[],
                files=files_of_code,
            )
        ]
        write_intervention(files, version, pool[0], None)
        config = with_values(config, {key: value})
    save_config(own.config, config)
    backtests = [_backtest(item.intervention_id) for item in pool]
    proposal = Proposal(
        version=version, pool=pool, backtests=backtests, agent="rules", chosen=pool[0].intervention_id if pool else None
    )
    own.proposal.write(proposal)
    own.agent_answers.touch()
    write_code(own.code, config, files_of_code)


def backtest(files: CampaignFiles, version: str) -> None:
    _obey("backtest")
    own = files.version(version)
    proposal = own.proposal.read()
    own.backtest.write(_backtest(proposal.chosen or "none"))


def train(files: CampaignFiles, version: str) -> None:
    _obey("train")
    usage().trajectories += 10
    own = files.version(version)
    config = load_config(own.config)
    digest = hashlib.sha256(own.config.read_bytes() + repr(read_code(own.code, config)).encode()).hexdigest()
    for folder in (own.model, own.training):
        folder.mkdir(parents=True, exist_ok=True)
    (own.model / "model.safetensors").write_text(digest)
    (own.training / "signals.txt").write_text("step 0\n")
    own.training_summary.path.write_text(json.dumps({"trained": True, "policy_hash": digest[:16], "num_tokens": 100}))
    own.curve.write_text(json.dumps([{"step": 0, "reward": 0.5}]))


def evaluate(files: CampaignFiles, version: str) -> None:
    _obey("evaluate")
    usage().trajectories += 2
    own = files.version(version)
    model = files.policy("tiny_math") if version == BASE_VERSION else own.model
    weights = (model / "model.safetensors").read_bytes()
    score = int(hashlib.sha256(weights).hexdigest()[:4], 16) / 65536
    own.validation.mkdir(parents=True, exist_ok=True)
    (own.validation / "rows.txt").write_text(f"{score}\n")
    own.gate.mkdir(parents=True, exist_ok=True)
    (own.gate / "WHY").write_text("small\n")
    own.audit.write(HarnessReport(version=version, harness_version="small"))
    verdict = Verdict(
        version=version,
        outcome="kept",
        claim="small",
        reasons=[],
        score=score,
        score_low=score - 0.1,
        score_high=score + 0.1,
        gate_version="small",
        harness_version="small",
    )
    own.verdict.write(verdict)
    own.metrics.write_text(json.dumps({"score": score}))


def confirm(files: CampaignFiles, version: str) -> None:
    _obey("confirm")
    own = files.version(version)
    outcome = own.verdict.read().outcome
    own.confirm.mkdir(parents=True, exist_ok=True)
    (own.confirm / "WHY").write_text(f"small: {outcome}\n")
    own.confirmation.write(Confirmation(version=version, reasons=["small"]))


def certify(files: CampaignFiles, _subject: str) -> None:
    _obey("certify")
    out = files.certificate / "test"
    out.mkdir(parents=True, exist_ok=True)
    (out / "rows.txt").write_text("sealed\n")
    score = CertifiedScore(version="v000", policy_hash="small", score=0.5, low=0.4, high=0.6, greedy_score=0.5)
    certificate = Certificate(
        campaign=_spec(files, "v000").campaign,
        incumbent="v000",
        num_problems=1,
        attempts=1,
        scores=[score],
        comparisons=[],
        gate_version="small",
    )
    (files.certificate / "certificate.json").write_text(certificate.model_dump_json(indent=1))


def report(files: CampaignFiles, _subject: str) -> None:
    _obey("report")


def base_policy(files: CampaignFiles, policy: str) -> None:
    _obey("base_policy")
    out = files.policy(policy)
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    (out / "model.safetensors").write_text("base")
    (out / "tokenizer_config.json").write_text(json.dumps({"chat_template": "{{ messages }}"}))


def _spec(files: CampaignFiles, version: str) -> VersionSpec:
    return files.version(version).spec.read()


def _backtest(name: str) -> Backtest:
    return Backtest(
        intervention_id=name,
        family="algorithm",
        accepted=True,
        reason="small",
        predicted_effect=0.1,
        usable_groups_before=1.0,
        usable_groups_after=1.0,
    )


def _code_mark() -> str:
    """What a test edits in the main checkout: it must not show in a campaign that has started."""
    return "mark: original\n"


def _obey(stage: str) -> None:
    path = Path(os.environ.get("SMALL_STAGES", "/nonexistent"))
    knobs = json.loads(path.read_text()).get(stage, {}) if path.is_file() else {}
    print(f"{stage} works", flush=True)
    if "started" in knobs:
        (Path(knobs["started"]) / str(os.getpid())).write_text(stage)
    if "sees" in knobs:
        (Path(knobs["sees"]) / stage).write_text("\n".join(os.environ))
    gate = Path(knobs["until"]) if "until" in knobs else None
    while gate is not None and not gate.exists():
        time.sleep(0.05)
    if "fail" in knobs:
        raise EvoTrainerError(knobs["fail"])
