"""The confirm stage on a campaign that really trains: fresh seeds of both recipes, and what they share."""

import json
import re
import shutil
from pathlib import Path

import pytest

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.memory import Memory, remember
from evotrainer.campaign.repository import read_records, save_config
from evotrainer.config import load_config
from evotrainer.evidence.query import run_query
from evotrainer.evidence.rows import Rows
from evotrainer.promotion.verdict_text import recipe_label
from evotrainer.records import Condition, Confirmation
from evotrainer.rollouts.evaluation import score_table
from evotrainer.training import replicates as seed_runs
from evotrainer.training.replicates import start_of
from tasks import confirm
from tasks.confirm import recipe_to_train
from tasks.inputs import Inputs
from tasks.plan.pipeline import confirm_stages
from tests.trained_campaign import IDLE, LEARNS, TrainedCampaign, small_config
from tests.version_files import contents

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def trained(tmp_path_factory, digit_policy, digit_problems) -> TrainedCampaign:
    """v001 learns nothing; v002 learns, is promoted and confirmed."""
    made = TrainedCampaign(tmp_path_factory.mktemp("trained") / "c", digit_policy, small_config(), digit_problems)
    made.run("v000", "base")
    made.run("v001", "baseline")
    made.run("v002", "candidate", setting={"algorithm.learning_rate": LEARNS}, readings={"truncation_rate": 0.0})
    assert made.confirm("v002").attribution is not None
    return made


@pytest.fixture
def copy(trained: TrainedCampaign, tmp_path: Path) -> TrainedCampaign:
    """The campaign again, with its cache of runs, to change at will."""
    shutil.copytree(trained.files.root, tmp_path / "c")
    changed = TrainedCampaign.__new__(TrainedCampaign)
    changed.files, changed.config = CampaignFiles(tmp_path / "c"), trained.config
    return changed


def stored(campaign: TrainedCampaign, version: str) -> Confirmation:
    return campaign.files.version(version).confirmation.read()


def test_a_recipe_that_learns_is_proven_on_fresh_seeds(trained: TrainedCampaign) -> None:
    found = stored(trained, "v002")
    claim = found.recipe
    assert claim is not None and claim.outcome == "proven" and found.attribution == "FIRED"
    assert claim.against == "v001", "the base policy has no recipe: the diff stands on the campaign's own"
    assert [run.replicate for run in claim.candidate] == [1, 2, 3]
    assert [run.replicate for run in claim.reference] == [1001, 1002, 1003, 1004]
    assert len({run.policy_hash for run in (*claim.candidate, *claim.reference)}) == 7, "each seed is another policy"
    scores = [run.score for run in claim.candidate]
    assert claim.minimum == min(scores) and claim.alpha == pytest.approx(0.05 / trained.config.num_versions)
    assert found.controls[0].came_true and found.prediction is not None and found.prediction.came_true


def test_its_rows_are_stored_and_drawn_for_nothing_else(trained: TrainedCampaign) -> None:
    own, claim = trained.files.version("v002"), stored(trained, "v002").recipe
    assert claim is not None
    rows = {arm: list(Rows.read(own.confirm / arm)) for arm in ("candidate", "reference")}
    for run in claim.candidate:
        assert score_table(rows["candidate"], run.replicate).score == run.score
    assert {row.version for row in rows["reference"]} == {"v001"}
    seeds = [[row.seed for row in found] for found in rows.values()]
    drawn = [*seeds[0], *seeds[1]]
    assert len(set(drawn)) == len(drawn), "no two runs share a draw"
    earlier = [
        row.seed
        for name in ("v000", "v001", "v002")
        for part in ("validation", "gate/candidate", "gate/repeat")
        for row in Rows.read(trained.files.version(name).root / part)
    ]
    assert earlier and not set(drawn) & set(earlier)


def test_the_verdict_stays_as_it_was(trained: TrainedCampaign) -> None:
    verdict = trained.files.version("v002").verdict.read()
    assert verdict.outcome == "promoted" and "its recipe is judged apart" in verdict.claim
    record = read_records(trained.files)[2]
    assert record.confirmation == stored(trained, "v002") and record.attribution == "FIRED"
    assert re.match(r"proven \+0\.\d+ FIRED; [\d.]+ to [\d.]+ over 3 seeds against", recipe_label(record))


def test_a_query_finds_the_claim_and_its_rows(trained: TrainedCampaign) -> None:
    told = run_query(trained.files, "SELECT recipe, attribution FROM versions ORDER BY version").rows
    assert told == [[None, None], [None, None], ["proven", "FIRED"]]
    sql = "SELECT version, count(*) FROM all_trajectories WHERE stage = 'confirm' GROUP BY 1 ORDER BY 1"
    assert run_query(trained.files, sql).rows == [["v001", 4 * 24 * 4], ["v002", 3 * 24 * 4]]


def test_a_repetition_without_the_cache_gives_the_same_bytes(copy: TrainedCampaign) -> None:
    own = copy.files.version("v002")

    before, tokens = contents(own.confirm, own.confirmation.path), (own.root / "costs" / "confirm.json").read_text()
    shutil.rmtree(copy.files.root / "scratch")
    shutil.rmtree(own.confirm)
    confirm.run(copy.files, "v002")
    assert contents(own.confirm, own.confirmation.path) == before
    assert (own.root / "costs" / "confirm.json").read_text() == tokens


def test_a_stage_that_was_killed_goes_on_with_the_runs_it_has(copy: TrainedCampaign, monkeypatch) -> None:
    before, trained_again = stored(copy, "v002"), counted_trainings(monkeypatch)
    forget_runs(copy, {2, 1004})
    assert copy.confirm("v002") == before
    assert trained_again == [("v001", 1004), ("v002", 2)]


def counted_trainings(monkeypatch) -> list[tuple[str, int]]:
    """Return a list that names every training from now on."""
    trained: list[tuple[str, int]] = []
    real = seed_runs.train_recipe

    def counted(files, spec, *rest):
        trained.append((spec.version, spec.replicate))
        return real(files, spec, *rest)

    monkeypatch.setattr(seed_runs, "train_recipe", counted)
    return trained


def forget_runs(campaign: TrainedCampaign, replicates: set[int]) -> None:
    """Remove finished runs from the cache, and leave what a killed process leaves: locks that nobody holds."""
    for path in (campaign.files.root / "scratch" / "seeds").glob("*/run.json"):
        if json.loads(path.read_bytes())["replicate"] in replicates:
            shutil.rmtree(path.parent)


def test_versions_share_the_runs_of_the_recipe_they_are_compared_with(copy: TrainedCampaign, monkeypatch) -> None:
    trained_for = counted_trainings(monkeypatch)
    lowered = {"metric": "truncation_rate", "direction": "down", "size": -0.2, "low": -0.5, "high": 0.0}
    copy.run(
        "v003",
        "candidate",
        setting={"algorithm.learning_rate": 2 * LEARNS},
        said=lowered,
        controls=[Condition(metric="dead_group_ratio", operator="<=", value=0.0)],
    )
    found = copy.confirm("v003")
    assert trained_for == [("v003", 1), ("v003", 2), ("v003", 3)]
    claim, earlier = found.recipe, stored(copy, "v002").recipe
    assert claim is not None and earlier is not None and claim.reference == earlier.reference
    tokens = json.loads((copy.files.version("v003").root / "costs" / "confirm.json").read_text())["tokens"]
    assert tokens == sum(run.num_tokens for run in claim.candidate), "the others were paid for by v002"
    assert claim.outcome == "proven" and found.attribution == "CONFOUNDED", "it learned, but not as it said"
    assert len(remember(Memory(), "c", "math", read_records(copy.files), {}).skills) == 1


def test_another_seed_of_the_same_recipe_is_not_proven(copy: TrainedCampaign) -> None:
    """One lucky seed is truly a better checkpoint; its recipe is the baseline's."""
    copy.run("v003", "candidate", setting={"algorithm.learning_rate": 2 * IDLE})
    own = copy.files.version("v003")
    better = copy.files.version("v002").verdict.read()
    own.verdict.write(better.model_copy(update={"version": "v003"}))
    found = copy.confirm("v003")
    assert found.recipe is not None and found.recipe.outcome in ("futile", "unproven")
    assert found.attribution == "NOT_FIRED"


def test_a_first_seed_that_is_not_ahead_costs_no_fresh_one(copy: TrainedCampaign) -> None:
    own = copy.files.version("v002")
    verdict = own.verdict.read()
    claim = stored(copy, "v002").recipe
    assert claim is not None
    mean = sum(run.score for run in claim.reference) / 4
    own.verdict.write(verdict.model_copy(update={"score": mean, "gate": None}))
    found = copy.confirm("v002")
    assert found.recipe is not None and (found.recipe.outcome, found.recipe.candidate) == ("unproven", ())
    assert "half a recipe floor" in found.reasons[0] and found.attribution is None
    assert not (own.confirm / "candidate").exists()


@pytest.mark.parametrize("outcome", ["kept", "failed"])
def test_only_what_was_promoted_is_asked(copy: TrainedCampaign, outcome: str) -> None:
    own = copy.files.version("v002")
    verdict = own.verdict.read()
    own.verdict.write(verdict.model_copy(update={"outcome": outcome}))
    found = copy.confirm("v002")
    assert (found.recipe, found.attribution) == (None, None)
    assert (own.confirm / "WHY").read_text().startswith(f"recipe unproven: {outcome}")


def test_a_seed_that_breaks_off_ends_the_claim_without_an_answer(copy: TrainedCampaign) -> None:
    config = load_config(copy.files.version("v002").config)
    config.budget.max_train_seconds = 0.0
    save_config(copy.files.version("v002").config, config)
    forget_runs(copy, {1, 2, 3})
    found = copy.confirm("v002")
    assert found.recipe is not None and found.recipe.outcome == "unproven" and found.attribution is None
    assert found.recipe.reason == "seed 1 of v002 did not train: train_budget_overrun"


def test_the_baseline_is_compared_with_not_training(copy: TrainedCampaign) -> None:
    """v000 has no seeds: it is evaluated again, and nothing else is trained."""
    own = copy.files.version("v001")
    config = load_config(own.config)
    config.algorithm.learning_rate = LEARNS
    save_config(own.config, config)
    better = copy.files.version("v002").verdict.read()
    own.verdict.write(better.model_copy(update={"version": "v001"}))
    found = copy.confirm("v001")
    claim = found.recipe
    assert claim is not None and claim.against == "v000" and found.attribution is None, "it has no hypothesis"
    assert len({run.policy_hash for run in claim.reference}) == 1 and len(claim.reference) == 4
    assert len({run.score for run in claim.reference}) > 1, "each evaluation draws anew"
    assert claim.outcome in ("proven", "unproven") and claim.difference is not None and claim.difference > 0.05


@pytest.mark.parametrize(("init", "start"), [("parent", "v002"), ("base", "v000")])
def test_both_recipes_start_from_the_same_policy(copy: TrainedCampaign, init: str, start: str) -> None:
    """What the incumbent was trained on before its last version is no part of the recipe that came last."""
    for version in ("v002", "v003"):
        config = load_config(copy.files.version("v002").config)
        config.init = init
        save_config(copy.files.version(version).config, config)
    shutil.copytree(copy.files.version("v002").rollout, copy.files.version("v003").rollout)
    spec = (
        copy.files.version("v002")
        .spec.read()
        .model_copy(update={"version": "v003", "parents": ["v002"], "incumbent": "v002"})
    )
    asked = Inputs(copy.files, spec, copy.config, read_records(copy.files))
    own, other = (recipe_to_train(asked, version) for version in ("v003", "v002"))
    assert {start_of(recipe.config, recipe.spec) for recipe in (own, other)} == {start}
    assert own.key == other.key, "one recipe from one policy is one run a seed"


def test_the_pipeline_holds_what_trains_both_recipes_again(copy: TrainedCampaign) -> None:
    records = read_records(copy.files)
    spec = copy.files.version("v002").spec.read()
    stage = confirm_stages(copy.config, spec, records[:2])[0]
    deps = set(stage.deps)
    assert {"verdict.json", "config.yaml", "rollout", "../v001/config.yaml", "../v001/rollout"} <= deps
    assert not any("confirm" in name or name.endswith("v001/model") for name in deps)
    assert confirm_stages(small_config(recipe_seeds=0), spec, records[:2]) == []
