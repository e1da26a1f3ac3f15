"""Problems that are judged on and known from elsewhere: named, weighed, and carried to every version of a campaign."""

import json
from dataclasses import replace

import numpy as np
import pytest
from typer.testing import CliRunner

from cli.main import app
from evotrainer.config import Config
from evotrainer.diagnosis.context import Lineage
from evotrainer.diagnosis.evaluator_audit import DIAGNOSTIC, diagnose
from evotrainer.diagnosis.harness import read_context
from evotrainer.diagnosis.thresholds import LIMITS
from evotrainer.domains.problem_sets.duplicates import jaccard, nearest, shingles
from evotrainer.domains.problem_sets.overlap import check_problems, check_rows, find_overlaps, read_demonstrated
from evotrainer.domains.problem_sets.rows import Row
from evotrainer.domains.swe.rows import identity_of
from tests.evolving_campaign import record
from tests.plain_records import version_spec

WORDS = [f"word{number}" for number in range(4000)]

PATCH = """--- a/src/m.py
+++ b/src/m.py
@@ -1,4 +1,4 @@
 def get_price(items):
     \"\"\"Return the sum of the items, each plus 3.\"\"\"
-    return sum(item - 3 for item in items if item > 2)
+    return sum(item + 3 for item in items if item > 2)
"""
MIRRORED = (
    PATCH.replace("-    return", "=    return").replace("+    return", "-    return").replace("=    ret", "+    ret")
)


def text(seed, length=40):
    return " ".join(np.random.default_rng(seed).choice(WORDS, length))


def row(name, problem):
    return Row(name, problem, "1", "own", 0.0, {}, problem)


def findings_of(check):
    return diagnose(replace(read_context("v000"), problems=check)).findings


def overlaps(trained, held, demonstrated=(), limit=0.5):
    return find_overlaps({"train": trained, "validation": held}, demonstrated, limit)


@pytest.mark.parametrize(
    ("trained", "held", "kind"),
    [
        (row("a", text(1)), row("a", text(2)), "same id"),
        (row("a", "47+385=?"), row("b", "385 + 47 = ?"), "same problem"),
        (row("a", text(1)), row("b", text(1).upper() + " !"), "nearly the same text"),
    ],
)
def test_a_problem_that_is_trained_on_too_is_named(trained, held, kind):
    (found,) = overlaps([row("other", text(9)), trained], [held, row("clean", text(8))])
    assert (found.problem_id, found.other, found.source, found.kind) == (held.row_id, trained.row_id, "train", kind)
    assert found.is_same and 0.8 <= found.share <= 1


def test_mirror_images_between_demonstrations_and_data_are_named():
    held = Row("m", "an issue", PATCH, "operator", 0.0, {}, identity_of(PATCH))
    (found,) = overlaps([], [held], [identity_of(MIRRORED), identity_of(PATCH.replace("sum", "max"))[:40]])
    assert (found.source, found.kind, found.other[:9]) == ("demonstrations", "nearly the same text", "def name0")


@pytest.mark.parametrize("share", [0.6, 0.8, 1.0])
def test_a_held_problem_inside_a_longer_text_is_told_apart(share):
    held = text(1)
    part = " ".join(held.split()[: int(40 * share)])
    trained = [row("long", f"{text(2, 200)} {part.upper()} {text(3, 200)}"), row("other", text(4))]
    (found,) = overlaps(trained, [row("held", held), row("clean", text(5))], limit=0.4)
    assert (found.problem_id, found.other, found.kind) == ("held", "long", "text inside it")
    assert found.share == pytest.approx((int(40 * share) - 7) / 33)


def test_phrases_of_a_collection_are_nobodys():
    opening = text(0, 20)
    trained = [row(f"t{seed}", f"{opening} {text(seed, 15)}") for seed in range(10, 20)]
    held = [row(f"h{seed}", f"{opening} {text(seed, 15)}") for seed in range(30, 40)]
    assert overlaps(trained, held, limit=0.1) == []


def test_the_nearest_text_is_the_nearest():
    rng = np.random.default_rng(0)
    known = [text(seed, 30) for seed in range(40)]
    asked = []
    for place in range(40):
        parts = known[place].split()
        for _ in range(int(rng.integers(0, 8))):
            parts[rng.integers(30)] = "other"
        asked.append(" ".join(parts))
    for given, found in zip(asked, nearest(asked, known, 0.5), strict=True):
        scores = [jaccard(shingles(given), shingles(other)) for other in known]
        best = int(np.argmax(scores))
        assert found == ((best, scores[best]) if scores[best] >= 0.5 else None)


@pytest.mark.parametrize(("num_known", "severity"), [(0, None), (1, "critical"), (2, "invalid"), (50, "invalid")])
def test_what_a_score_is_worth_follows_from_how_much_of_it_is_known(num_known, severity):
    held = [row(f"h{seed}", text(seed)) for seed in range(200)]
    trained = [row(f"t{seed}", text(seed)) for seed in range(num_known)] + [row("own", text(999))]
    found = findings_of(check_rows({"train": trained, "validation": held}, None, LIMITS.text_overlap))
    assert [(each.mode, each.severity) for each in found] == ([("contamination", severity)] if severity else [])
    assert all(f"{num_known} of 200 problems" in each.message for each in found)


@pytest.mark.parametrize(("num_shown", "severity"), [(1, "warning"), (2, "warning"), (20, "critical")])
def test_demonstrated_problems_move_scores_but_hardly_differences(num_shown, severity):
    held = [row(f"h{seed}", text(seed)) for seed in range(200)]
    check = check_rows({"validation": held}, [text(seed) for seed in range(num_shown)], LIMITS.text_overlap)
    (found,) = findings_of(check)
    assert (found.severity, check.metrics["demonstrated_problems"]) == (severity, num_shown / 200)
    assert f"{num_shown} of 200 problems that are judged on were demonstrated" in found.message


def test_the_message_says_of_which_split_the_share_is():
    splits = {"validation": range(100, 104), "test": range(200, 210), "train": [*range(100, 103), *range(200, 205)]}
    rows = {split: [row(f"{split}{seed}", text(seed)) for seed in seeds] for split, seeds in splits.items()}
    (found,) = findings_of(check_rows(rows, None, LIMITS.text_overlap))
    assert "largest share: 3 of 4 of validation" in found.message
    assert found.numbers == {"problems": 8, "share": 0.75}


def test_problems_of_a_built_in_family_are_compared_by_form_alone():
    prompt = "Return the sum of the squares of x for x in xs that are even and above 3 or odd and below 9 then plus {}"
    assert overlaps([row("a", prompt.format(4))], [row("b", f"47+38=? {prompt}")], limit=0.1)
    assert overlaps([row("a", f"12+30=? {prompt}")], [row("b", "47+38=?")], limit=0.0) == []


def test_a_text_inside_another_is_told_however_common():
    held = [row(f"h{seed}", text(seed)) for seed in range(5)]
    trained = [row(f"t{seed}", f"{text(100 + seed, 300)} {text(seed)}") for seed in range(5)]
    check = check_rows({"train": trained, "validation": held}, [], LIMITS.text_overlap)
    assert [each.severity for each in findings_of(check)] == ["info"]
    assert check.metrics == {"trained_problems": 0.0, "demonstrated_problems": 0.0}


def test_what_a_base_policy_was_shown_is_kept_beside_it(tmp_path):
    (tmp_path / ".demonstrated.txt").write_bytes(b"12+30=?\ntwo\\nlines \\\\n \\xe9\n")
    assert read_demonstrated(tmp_path) == ["12+30=?", "two\nlines \\n é"]
    assert read_demonstrated(tmp_path / "elsewhere") is None
    _write(tmp_path / "data" / "validation.jsonl", [("held", "30+12=?"), ("clean", "31+12=?")])
    check = check_problems(tmp_path / "data", "math", tmp_path, LIMITS.text_overlap)
    assert (check.num_demonstrated, [each.problem_id for each in check.overlaps]) == (2, ["held"])
    assert check.metrics == {"trained_problems": 0.0, "demonstrated_problems": 0.5}


def test_the_finding_stands_in_the_audit_of_every_version():
    held = [row("h", "12+30=?")]
    found = findings_of(check_rows({"train": [row("t", "30+12=?")], "test": held}, None, LIMITS.text_overlap))
    found = [one.model_copy(update={"diagnostic": DIAGNOSTIC}) for one in found]  # as the harness names it
    records = [record("v000", "", findings=found), record("v001", "")]
    assert [(each.version, each.severity) for each in _inherited(records)] == [("v002", "invalid")]
    assert _inherited([record("v000", "")]) == []


def _inherited(records):
    lineage = Lineage(Config(), None, version_spec("v002"), None, records)
    return diagnose(replace(read_context("v002"), lineage=lineage)).findings


def _write(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps({"id": name, "problem": problem, "answer": "1"}) for name, problem in rows]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_the_command_names_what_is_known(tmp_path):
    held = text(1)
    own = _write(tmp_path / "own.jsonl", [("long", f"{text(2, 200)} {held}"), ("clean", text(3))])
    judged = _write(tmp_path / "judged" / "validation.jsonl", [("held", held), ("fresh", text(4))]).parent
    told = CliRunner().invoke(app, ["data", "check", str(own), "--against", str(judged)])
    assert told.exit_code == 0, told.output
    assert "held (validation) and long (train): text inside it, 100% shared" in told.output
    _write(judged / "validation.jsonl", [("held", f"{text(3)}!")])
    told = CliRunner().invoke(app, ["data", "check", str(own), "--against", str(judged), "--json"])
    assert told.exit_code == 1
    (found,) = json.loads(told.output)[str(own)]["overlaps"]
    assert (found["problem_id"], found["other"], found["kind"]) == ("held", "clean", "nearly the same text")


def test_splits_of_ones_own_are_compared_among_themselves(tmp_path):
    _write(tmp_path / "train.jsonl", [("long", f"{text(2, 200)} {text(1)}")])
    _write(tmp_path / "test.jsonl", [("held", text(1))])
    told = CliRunner().invoke(app, ["data", "check", str(tmp_path)])
    assert "held (test) and long (train): text inside it" in told.output
