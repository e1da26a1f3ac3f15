"""Score the version's policy on the validation split, audit its evidence, ask the gate, and give the verdict.

    training facts ─► scored ─► peers rescored ─► screened ─► audited ─► ablated ─► leak answered ─► gated
                                                                                  ─► regraded ─► verdict

Each step takes the evaluation and returns it with what it found. What did not train, or is bit by bit an earlier
policy, is not scored: validation/ then holds a file WHY. A policy that is not the one that training recorded is an
error and is never used. A leak is answered by scores under stricter access.
"""

from dataclasses import replace

from evotrainer.campaign.documents import emptied_because, write_json_atomic
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.ledger import write_tokens
from evotrainer.campaign.lineage import campaign_floor
from evotrainer.campaign.seeds import derive_seed
from evotrainer.diagnosis.evolved.gaps import explained
from evotrainer.promotion.evaluation import Evaluation, screen
from evotrainer.promotion.verdict import decide
from evotrainer.records import Verdict
from evotrainer.rollouts.evaluation import evaluate_policy, graded_table, sampled, write_evaluation
from tasks.evaluate.audit import ablated, audited, leak_answered, open_folder, peers_rescored, regraded, unaudited
from tasks.evaluate.gate import gated
from tasks.inputs import SPLIT, Inputs, read_inputs


def run(files: CampaignFiles, version: str) -> None:
    """Write validation/, gate/, audit.json, metrics.json and verdict.json of the version."""
    inputs = read_inputs(files, version)
    open_folder(inputs)
    unscored = f"a duplicate of {inputs.duplicate_of}" if inputs.duplicate_of else inputs.training.reason
    is_scored = inputs.training.trained and not inputs.duplicate_of
    evaluation = _evaluated(inputs) if is_scored else _unscored(inputs, unscored)
    verdict = decide(evaluation, inputs.config.evaluate)
    _write(inputs, evaluation, verdict)
    print(f"score: {verdict.score}\noutcome: {verdict.outcome}\nclaim: {verdict.claim}", flush=True)


def _evaluated(inputs: Inputs) -> Evaluation:
    """Take all steps of a version that has a policy of its own."""
    evaluation = _begun(inputs)
    for step in (_scored, peers_rescored, _screened, audited, ablated, leak_answered, gated, regraded):
        evaluation = step(inputs, evaluation)
    return evaluation


def _begun(inputs: Inputs) -> Evaluation:
    """Return what is known before the policy is opened."""
    return Evaluation(
        spec=inputs.spec,
        report=unaudited(inputs),
        training=inputs.training,
        duplicate_of=inputs.duplicate_of,
        intervention=inputs.intervention,
        noise_floor=campaign_floor(inputs.records),
        incumbent_metrics=inputs.incumbent.metrics if inputs.incumbent else {},
    )


def _unscored(inputs: Inputs, reason: str) -> Evaluation:
    """Leave validation/ and gate/ without rows, with the reason."""
    emptied_because(reason, inputs.own.validation)
    emptied_because("it was not scored", inputs.own.gate)
    return _begun(inputs)


def _scored(inputs: Inputs, evaluation: Evaluation) -> Evaluation:
    """Attempt the screening problems, and write validation/."""
    rows = evaluate_policy(inputs.engine, inputs.problems, inputs.config, inputs.spec, SPLIT)
    write_evaluation(inputs.own.validation, rows, inputs.config)
    return replace(evaluation, rows=rows)


def _screened(inputs: Inputs, evaluation: Evaluation) -> Evaluation:
    """Add score, interval and comparisons; raises InfrastructureError where the base policy lost too much."""
    config = inputs.config
    if inputs.is_base:
        graded_table(sampled(evaluation.rows), config, "the base policy")
    seed = derive_seed(inputs.spec.campaign_seed, "bootstrap")
    return replace(evaluation, screening=screen(evaluation.rows, inputs.peer_rows(), config.evaluate, seed))


def _write(inputs: Inputs, evaluation: Evaluation, verdict: Verdict) -> None:
    """Write the audit with what it leaves unexplained, the metrics, the verdict and the tokens."""
    own, before = inputs.own, inputs.incumbent.findings if inputs.incumbent else []
    audit = explained(evaluation.report, verdict, inputs.intervention, before)
    own.audit.write(audit)
    write_json_atomic(own.metrics, evaluation.metrics)
    own.verdict.write(verdict)
    write_tokens(own, "evaluate", evaluation.num_tokens)
