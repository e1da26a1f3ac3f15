"""Trial records from elsewhere: what is read, what is odd, what the lineage and its predictions come to."""

import math
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.main import app
from evotrainer.campaign.trials import (
    best_chain,
    find_trials,
    label_of,
    leaderboard,
    read_trials,
    skill_of,
    skills,
    stored_trials,
    trials_of,
)
from evotrainer.errors import EvidenceError, LineageError
from evotrainer.records import Trial
from flows.workspace.worktree import project_root

OWN = Path(__file__).parents[1] / "golden" / "trials.tsv"
REAL = project_root().parent / "shared" / "data" / "specialists"
is_there = pytest.mark.skipif(not REAL.is_dir(), reason="the public trial records are not beside this checkout")


def own(**options) -> list[Trial]:
    return read_trials(OWN, "own", **options).trials


def test_odd_rows_are_noted_with_their_lines_and_none_is_lost_silently():
    found = read_trials(OWN, "own")
    assert [(note.line, note.kind) for note in found.notes] == [
        (4, "flattened"),
        (6, "blank"),
        (8, "status"),
        (9, "width"),
        (11, "repeated id"),
    ]
    assert (found.score_name, found.better) == ("accuracy", "higher")
    assert read_trials(OWN, "own", score="train_s", better="lower").score_name == "train_s"
    assert [trial.trial_id for trial in found.trials] == ["000", "001", "002", "003", "004", "005", "006", "007"]


def test_a_flattened_row_is_taken_apart_and_a_quoted_hypothesis_may_run_over_lines():
    trial, quoted = own()[2], own()[7]
    assert (trial.label, trial.expected, trial.score, trial.numbers) == ("keep", 0.02, 0.53, {"train_s": 61.5})
    assert trial.hypothesis == "warm up longer, then keep the rate"
    assert trial.notes == "kept, says the log"
    assert "\n" in quoted.hypothesis and quoted.label == "discard"


def test_a_table_without_changes_shows_its_direction_by_kept_trials_and_their_parents(tmp_path):
    path = tmp_path / "t.tsv"
    rows = ["exp_id\tparent_exp\tspecialist\tstatus\tcore\tnotes", "000\t\tbaseline\tbaseline\t0.20\t"]
    rows += ["001\t000\tarch\tKEEP\t0.24", "002\t001\topt\tdiscard\t0.21\tworse", "003\t001\topt"]
    path.write_text("\n".join(rows) + "\n")
    found = read_trials(path, "t")
    assert found.better == "higher"
    assert [(trial.trial_id, trial.delta) for trial in found.trials] == [("000", None), ("001", 0.04), ("002", -0.03)]
    assert [(note.line, note.kind) for note in found.notes] == [(3, "flattened"), (5, "width")]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "lacks the column exp_id"),
        ("exp_id\tspecialist\tstatus\n", "has no column ''"),
        ("exp_id\tspecialist\tstatus\tloss\n000\ta\tcrash\t\n", "say --better lower or higher"),
    ],
)
def test_a_file_that_is_no_table_of_trials_is_refused_in_one_line(tmp_path, text, told):
    path = tmp_path / "t.tsv"
    path.write_text(text)
    with pytest.raises(EvidenceError, match=told):
        read_trials(path, "t")
    with pytest.raises(EvidenceError, match="has no column 'bpb'"):
        read_trials(OWN, "own", score="bpb")


def test_chain_and_leaderboard():
    trials = own()
    assert best_chain(trials, "higher") == ["000", "001", "002"]
    assert [trial.trial_id for trial in leaderboard(trials, "higher")] == ["002", "001", "000"]
    assert [trial.label for trial in trials if trial.specialist == "opt"].count("harness_abort") == 1


def test_what_is_stored_reads_back_and_a_wrong_name_lists_what_there_is(tmp_path):
    found = read_trials(OWN, "own")
    stored_trials(tmp_path, "own").write(found)
    assert find_trials(tmp_path, "own") == found
    with pytest.raises(LineageError, match="nearest: own"):
        find_trials(tmp_path, "owl")


def test_the_skill_of_predictions_counts_valid_trials_alone():
    def trial(label, expected, delta, probability):
        hit = expected * delta > 0
        return Trial(
            trial_id="", specialist="a", label=label, expected=expected, delta=delta, hit=hit, probability=probability
        )

    skill = skill_of(
        "a", [trial("keep", 0.1, 0.2, 0.8), trial("discard", 0.1, -0.1, 0.6), trial("harness_abort", 0.1, -9, 0.9)]
    )
    assert (skill.predictions, skill.decided, skill.hits) == (2, 2, 1)
    assert skill.slope == pytest.approx(0.5)
    assert skill.bias == pytest.approx(-0.05)
    assert skill.brier == pytest.approx((0.04 + 0.36) / 2)
    assert skill.reference == pytest.approx(0.25)
    assert skill.gap == pytest.approx(0.2)


def test_our_own_versions_are_trials_too(written_campaign):
    from evotrainer.campaign.repository import read_records

    records = read_records(written_campaign)
    labels = [label_of(record) for record in records]
    assert labels[:2] == ["baseline", "baseline"]
    assert labels[5] == "preflight_crash"
    assert labels[6] == "disqualified"
    told = skills(trials_of(records))
    assert told[0].author == "all"
    valid = [record for record in records if label_of(record) in ("keep", "discard")]
    assert told[0].decided == sum(record.verdict.prediction_hit is not None for record in valid)
    assert told[0].brier is not None and not math.isnan(told[0].brier)


@is_there
@pytest.mark.parametrize(
    ("file", "num_trials", "keeps", "flattened", "hits", "decided"),
    [
        ("parameter_golf", 900, 36, 46, 38, 443),
        ("parameter_golf_lineage_on", 200, 16, 0, 17, 140),
        ("parameter_golf_lineage_off", 200, 3, 0, 3, 49),
    ],
)
def test_the_public_records_are_read_whole(file, num_trials, keeps, flattened, hits, decided):
    found = read_trials(REAL / f"{file}.tsv", file)
    labels = [trial.label for trial in found.trials if trial.label != "baseline"]
    assert found.better == "lower" and len(labels) == num_trials and labels.count("keep") == keeps
    assert sum(note.kind == "flattened" for note in found.notes) == flattened == len(found.notes)
    skill = skills(found.trials)[0]
    assert (skill.hits, skill.decided) == (hits, decided)
    assert best_chain(found.trials, "lower")[0] == "000"


def test_the_command_says_what_is_wrong_in_one_line(tmp_path):
    answer = CliRunner().invoke(app, ["trials", str(OWN), "--better", "more"])
    assert "choose from lower, higher" in str(answer.exception)
    answer = CliRunner().invoke(app, ["trials", str(tmp_path / "none.tsv")])
    assert "is no table of trials" in str(answer.exception)
