"""A small sample of the grader bench: no honest answer is rejected or flagged, and no cheat is paid."""

from pathlib import Path

from benchmarks.grader.bench import run_bench, summary

ROOT = Path(__file__).resolve().parents[3]


def test_no_honest_answer_of_a_domain_is_rejected_or_flagged_and_no_cheat_paid():
    found = run_bench(ROOT, 1, 1, runners=("light",), every=7)
    kinds = {(one.place, one.is_honest) for one in found}
    assert kinds == {
        (place, kind) for place in ("code", "swe_light", "shapes_light", "forms_light") for kind in (True, False)
    }
    assert [one for one in found if one.is_wrong] == []
    num_cheats = sum(one.place == "swe_light" and not one.is_honest for one in found)
    assert num_cheats > 2
    assert f"swe_light_cheats_paid: 0 of {num_cheats}" in summary(found, 1.0)
