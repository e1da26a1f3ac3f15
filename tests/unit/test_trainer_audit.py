"""Audit of the trainer agent: planted faults are named, healthy lineages and merges are not."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.failure_modes import FAILURE_MODES, find_failure_mode
from benchmarks.failure_modes.lineages import healthy_lineage, with_verdict
from evotrainer.config import Config
from evotrainer.diagnosis.trainer_audit import diagnose
from tests.evolving_campaign import changed

MODES = [mode for mode in FAILURE_MODES if find_failure_mode(mode).domain == "lineage"]


def audit(case, **changes):
    return diagnose(replace(case, **changes).context()).findings


def told(case):
    found = audit(case)
    return {finding.mode: finding.severity for finding in found}


def lineage(seed):
    return healthy_lineage(Config(), np.random.default_rng(seed))


@pytest.mark.parametrize("seed", range(12))
def test_a_trainer_that_changes_one_thing_at_a_time_is_left_alone(seed):
    assert told(lineage(seed)) == {}


@pytest.mark.parametrize("mode", MODES)
def test_the_strongest_case_of_each_fault_is_named(mode):
    chosen = find_failure_mode(mode)
    for inject in (chosen.inject, chosen.variant or chosen.inject):
        case = inject(lineage(3), chosen.strengths[-1], np.random.default_rng(1))
        assert told(case)[mode] == ("invalid" if chosen.falsifies else told(case)[mode])


def test_a_merge_of_winners_moves_two_factors_by_right():
    case = find_failure_mode("confounded_change").inject(lineage(0), 2.0, np.random.default_rng(0))
    merged = case.spec.model_copy(update={"kind": "merge", "parents": ["v001", "v002"]})
    found = audit(case, spec=merged)
    assert "confounded_change" in told(case) and not found


def test_a_recipe_is_compared_with_the_campaign_whatever_its_diff_says():
    silent = find_failure_mode("trainer_overreach").variant
    assert silent is not None
    case = silent(lineage(0), 1.0, np.random.default_rng(0))
    assert told(case) == {"trainer_overreach": "invalid"}


def test_replicates_of_a_recipe_are_no_repetition():
    case = lineage(0)
    twin = changed(case.records[3], {"version": "v020", "replicate": 1})
    found = audit(case, records=(*case.records, twin))
    assert found == []


@pytest.mark.parametrize("kind", ["base", "warm_up"])
def test_a_baseline_that_beats_what_has_no_recipe_is_no_noise(kind):
    case = lineage(0)
    base = changed(case.records[0], {"kind": kind})
    first = case.records[1].model_copy(update={"config_hash": base.config_hash})
    first = with_verdict(first, outcome="promoted", label="", comparisons=[], noise_floor=None)
    found = audit(case, recipe=None, intervention=None, records=(base, first))
    assert found == []
