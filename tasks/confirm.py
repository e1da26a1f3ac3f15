"""After the verdict: fresh training seeds of a promoted recipe, trained one after the other until they decide.

    verdict ─► recipe gate over seeds ─► claim
                        └─► predicted metric, negative controls ─► FIRED | NOT_FIRED | CONFOUNDED ─► confirmation.json

The verdict stays as it is: it is about one checkpoint. What this stage finds is a claim of its own. It stands in a
version's pipeline where evaluate.recipe_seeds asks for seeds.

First the other recipe's seeds, shared by all versions that are compared with it; then the screen, which the version's
own seed has to pass by half a recipe floor; then fresh seeds of this recipe. A seed whose own evidence holds an
`invalid` finding, or that did not train, ends the gate without an answer. Metrics that the hypothesis speaks of are
read by the version's frozen harness from the training of every run, of both recipes alike.

    confirm/candidate/  confirm/reference/   rows of the runs, one step a replicate
    confirm/WHY                              why there are none
"""

from dataclasses import dataclass, field, replace

from evotrainer.actions import action_classifier
from evotrainer.campaign.chat_endpoint import start_record
from evotrainer.campaign.documents import emptied, emptied_because
from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles
from evotrainer.campaign.leak_response import in_force
from evotrainer.campaign.ledger import write_tokens
from evotrainer.campaign.lineage import campaign_floor, find, recipe_before
from evotrainer.config import load_config
from evotrainer.diagnosis.harness import read_context
from evotrainer.evidence.rows import Rows
from evotrainer.evidence.store import write_rows
from evotrainer.promotion.checkpoint import resolution
from evotrainer.promotion.recipe import (
    RecipeDesign,
    RecipeGate,
    design_recipe,
    fired,
    shift_of_control,
    shift_of_prediction,
)
from evotrainer.promotion.rounds import share_of, trained_fresh_seeds
from evotrainer.promotion.verdict_text import describe_recipe
from evotrainer.records import Confirmation, Intervention, RecipeClaim, SeedRun
from evotrainer.training.replicates import Recipe, open_recipe_of, run_seed
from tasks.inputs import Inputs, read_inputs

FIRST_SEED, FIRST_REFERENCE = 1, 1001
"""Replicates of this recipe and of the other: the two sides never share a seed."""


@dataclass
class _Arm:
    """The runs of one recipe, in order."""

    name: str
    recipe: Recipe
    first: int
    runs: list[SeedRun] = field(default_factory=list)
    metrics: list[dict[str, float]] = field(default_factory=list)
    stopped: str = ""
    """Why no further run would count."""


def run(files: CampaignFiles, version: str) -> None:
    """Write confirm/ and confirmation.json of the version."""
    asked = read_inputs(files, version)
    own = asked.own
    start_record(asked.config.domain, own.judge / "confirm.jsonl")
    emptied(own.confirm)
    if reason := why_unconfirmed(asked):
        found, tokens = Confirmation(version=version, reasons=[reason]), 0
    else:
        found, tokens = confirm_recipe(asked)
    if not any(own.confirm.iterdir()):
        emptied_because("; ".join(found.reasons), own.confirm)
    own.confirmation.write(found)
    write_tokens(own, "confirm", tokens)
    print(
        f"recipe: {found.recipe.outcome if found.recipe else 'unproven'}\nattribution: {found.attribution}", flush=True
    )


def why_unconfirmed(asked: Inputs) -> str:
    """Return why no fresh seed is trained, or nothing where some are."""
    if asked.config.evaluate.recipe_seeds == 0:
        return "recipe unproven: evaluate.recipe_seeds=0"
    if asked.verdict.outcome != "promoted":
        return f"recipe unproven: {asked.verdict.outcome}, and fresh seeds are for what was promoted"
    return ""


def confirm_recipe(asked: Inputs) -> tuple[Confirmation, int]:
    """Train and evaluate fresh seeds; return what they say, and the tokens of runs that no closed version has paid."""
    against = recipe_before(asked.spec, asked.records)
    candidate = _Arm("candidate", recipe_to_train(asked, asked.spec.version), FIRST_SEED)
    reference = _Arm("reference", recipe_to_train(asked, against), FIRST_REFERENCE)
    gate, reason = _hold(asked, _design(asked, against), candidate, reference)
    attempts, confidence = asked.config.evaluate.attempts, asked.config.evaluate.confidence
    claim = gate.claim(against, _screening(asked), len(asked.problems), attempts, confidence, reason)
    claim = claim.model_copy(update={"candidate": tuple(candidate.runs)})  # one that ended the gate is shown too
    found = Confirmation(version=asked.spec.version, recipe=claim, reasons=describe_recipe(claim, confidence))
    if gate.outcome != "open" and asked.intervention is not None:
        found = _attributed(found, claim, asked, asked.intervention, candidate, reference)
    return found, _tokens(asked, claim)


def recipe_to_train(asked: Inputs, version: str) -> Recipe:
    """Return a recipe as fresh seeds train it: of the version itself, or of the closed one it is compared with.

    With `init=parent` both start where the version did: a policy that was trained further is not a better recipe.
    """
    spec = asked.spec if version == asked.spec.version else find(asked.records, version).spec
    if version == BASE_VERSION:
        return open_recipe_of(asked.files, spec, asked.config)
    config = in_force(load_config(asked.files.version(version).config), asked.spec)
    started = spec.model_copy(update={"parents": asked.spec.parents}) if config.init == "parent" else spec
    return open_recipe_of(asked.files, started, config)


def _design(asked: Inputs, against: str) -> RecipeDesign:
    limits, floor = asked.config.evaluate, campaign_floor(asked.records)
    alpha = share_of(asked.spec, asked.records, limits.error_budget, asked.config.num_versions, trained_fresh_seeds)
    least = max(floor.value if floor else 0.0, resolution(len(asked.problems), limits.attempts))
    return design_recipe(limits.recipe_seeds, alpha, least, is_pooled=against != BASE_VERSION)


def _screening(asked: Inputs) -> float:
    """Return the score of the version's own seed: of its fresh rows where the checkpoint gate drew any."""
    gate, score = asked.verdict.gate, asked.verdict.score
    assert score is not None, "a version without a score is not promoted"
    return gate.winners_curse.fresh if gate is not None and gate.winners_curse is not None else score


def _hold(asked: Inputs, design: RecipeDesign, candidate: _Arm, reference: _Arm) -> tuple[RecipeGate, str]:
    """Draw seeds until they decide; return the gate, and why it ended undecided."""
    while len(reference.runs) < design.incumbent_seeds and not reference.stopped:
        _draw(asked, reference)
    gate = RecipeGate(design, reference.runs)
    if reference.stopped:
        return gate, reference.stopped
    if not gate.passes_screen(_screening(asked)):
        return gate, "its own seed is not half a recipe floor ahead: no fresh seed is worth training"
    while gate.outcome == "open":
        _draw(asked, candidate)
        if candidate.stopped:
            return gate, candidate.stopped
        gate = replace(gate, candidate=tuple(candidate.runs))
    return gate, ""


def _draw(asked: Inputs, arm: _Arm) -> None:
    """Train and evaluate the next seed of an arm, store its rows, and read its metrics."""
    own, number, version = asked.own, arm.first + len(arm.runs), arm.recipe.spec.version
    answers = own.judge / "confirm.jsonl"
    found = run_seed(asked.files, arm.recipe, number, asked.config, asked.problems, answers)
    if found.run is None:
        arm.stopped = f"seed {number} of {version} did not train: {found.label}"
        return
    classifier = action_classifier(asked.config.harness.actions)
    write_rows(own.confirm / arm.name, number, list(Rows.read(found.rows)), classifier=classifier)
    training = found.training if arm.recipe.is_trained else None  # the base policy has none
    context = read_context(
        version,
        rows=training,
        training=training,
        validation=found.rows,
        recipe=arm.recipe.config,
        training_recipe=arm.recipe.config if training else None,
    )
    report = asked.harness.run(context)
    arm.runs.append(found.run)
    arm.metrics.append(report.metrics | {"score": found.run.score})
    if invalid := [each for each in report.findings if each.severity == "invalid"]:
        arm.stopped = f"seed {number} of {version} is invalid: {invalid[0].mode}: {invalid[0].message}"


def _attributed(
    found: Confirmation, claim: RecipeClaim, asked: Inputs, intervention: Intervention, candidate: _Arm, reference: _Arm
) -> Confirmation:
    """Return the confirmation with what became of the hypothesis."""
    confidence, readings = asked.config.evaluate.confidence, asked.rollout_report.metrics
    sides = (candidate.metrics, reference.metrics, confidence)
    prediction = shift_of_prediction(intervention.prediction, *sides)
    controls = tuple(shift_of_control(each, readings, *sides) for each in intervention.negative_controls)
    attribution, reasons = fired(claim, prediction, controls)
    return found.model_copy(
        update={
            "prediction": prediction,
            "controls": controls,
            "attribution": attribution,
            "reasons": [*found.reasons, *reasons],
        }
    )


def _tokens(asked: Inputs, claim: RecipeClaim) -> int:
    """Return what the runs sampled, without those that an earlier version's claim rests on: they are paid for."""
    claims = [record.confirmation.recipe for record in asked.records if record.confirmation]
    paid = {(run.replicate, run.policy_hash) for old in claims if old is not None for run in old.reference}
    own = [run for run in claim.reference if (run.replicate, run.policy_hash) not in paid]
    return sum(run.num_tokens for run in (*claim.candidate, *own))
