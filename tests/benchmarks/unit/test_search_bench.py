"""All searches on the surrogate landscape: golden runs, and what must hold of every campaign."""

import pytest

from benchmarks.search.landscape import Landscape, read_sweep
from benchmarks.search.measure import ARMS, measure
from benchmarks.search.surrogate import best_so_far, run_surrogate
from conf.compose import compose_campaign
from evotrainer.campaign.lineage import incumbent, taken_recipes
from evotrainer.campaign.recipes import recipe_from
from evotrainer.config import Config
from evotrainer.config.campaign import SPECIALISTS
from evotrainer.config.factors import factors_of, recipe_hash
from evotrainer.config.interventions import with_values
from evotrainer.records import VersionRecord
from evotrainer.search.brief import owns
from evotrainer.search.specialists import SURFACES

VERSIONS = 8


def campaign(arm: str, seed: int = 3, **settings) -> tuple[Config, list[VersionRecord]]:
    overrides = [*ARMS[arm], "trainer=random", "trainer.pool_size=4", f"seed={seed}", "memory=none"]
    config = compose_campaign([*overrides, f"num_versions={VERSIONS}", *(f"{k}={v}" for k, v in settings.items())])
    return config, run_surrogate(config, Landscape(seed), seed).records


@pytest.mark.parametrize("arm", ARMS)
def test_every_search_ends_at_equal_budget_and_repeats_no_recipe(arm):
    config, records = campaign(arm)
    trained = [record for record in records if record.policy_hash and record.spec.kind != "base"]
    assert len(trained) == VERSIONS
    hashes = [record.config_hash for record in trained if not record.verdict.label]
    assert len(hashes) == len(set(hashes))
    for record in trained:
        assert recipe_hash(recipe_from(records, config, record.spec.version)) == record.config_hash
    assert set(taken_recipes(records)) >= set(hashes)
    assert incumbent(records) in {record.spec.version for record in records}


def test_first_turns_of_specialists_follow_the_largest_gain_of_each_surface_in_the_stored_sweep():
    best: dict[str, float] = {}
    for setting, points in read_sweep().observed:
        factor = factors_of(set(setting))[0]
        name = next(one.name for one in SURFACES.values() if owns(one, factor, SURFACES.values()))
        best[name] = max(best.get(name, points), points)
    gains = [best[name] for name in SPECIALISTS if name in best]
    assert len(gains) == len(SPECIALISTS) - 1, "the harness has no factor"
    assert gains == sorted(gains, reverse=True)


def test_gear_crosses_branches_and_expands_several_elites():
    _, records = campaign("gear_fixed", seed=4, num_versions=16)
    assert records == campaign("gear_fixed", seed=4, num_versions=16)[1]
    merges = [record for record in records if record.spec.kind == "merge" and record.intervention]
    assert merges
    assert all(record.spec.incumbent == record.spec.parents[0] for record in merges)
    assert len({record.spec.incumbent for record in records if record.spec.kind == "candidate"}) > 2
    places = [records.index(record) for record in merges]
    assert all(later - earlier > 1 for earlier, later in zip(places, places[1:], strict=False))


def test_the_controlled_mode_joins_the_two_of_every_generation():
    _, records = campaign("controlled")
    merges = [record for record in records if record.spec.kind == "merge"]
    assert merges
    for merge in merges:
        parents = [record for record in records if record.spec.version in merge.spec.parents]
        assert len({parent.spec.generation for parent in parents}) == 1
        assert not set(parents[0].intervention.diff) & set(parents[1].intervention.diff)


def test_rapid_ablation_takes_back_what_the_chain_added():
    config, records = campaign("rapid ablation", num_versions=24)
    ablations = [record for record in records if record.intervention and record.intervention.author == "ablation"]
    assert ablations
    for record in ablations:
        source = record.intervention.evidence[0].removeprefix("ablation:")
        added = next(one.intervention.diff for one in records if one.spec.version == source)
        assert all(added[key][0] == new for key, (_, new) in record.intervention.diff.items())


def test_the_landscape_has_the_stored_effects_and_repeats():
    sweep, world = read_sweep(), Landscape(0)
    assert world.score(Config()) == pytest.approx(sweep.start)
    assert world.score(Config()) == Landscape(0).score(Config())
    penalised = with_values(Config(), {"reward.length_penalty": 0.1})
    assert world.score(penalised) < sweep.start - 0.03
    two, rate = {"algorithm.num_minibatches": 2}, {"algorithm.learning_rate": 1.28e-4}
    gains = [world.score(with_values(Config(), each)) - sweep.start for each in (two, rate, two | rate)]
    assert gains[2] < gains[0] + gains[1]


def test_a_campaign_is_measured_by_its_true_score():
    run = measure("hillclimb", 1, "random", 8)
    assert run.num_trained == 8 == len(run.curve)
    assert run.area == pytest.approx(sum(run.curve) / 8)
    assert run.curve[-1] == pytest.approx(run.best)
    trace = run_surrogate(compose_campaign(["search=hillclimb", "num_versions=2", "trainer=random"]), Landscape(1), 1)
    assert len(best_so_far(trace.records, trace.truth)) == len(trace.records)
