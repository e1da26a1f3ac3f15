from benchmarks.reports.certificates import certificates_figure, certificates_table
from evotrainer.records import BenchRun, Certificate, CertifiedScore, Comparison


def make_run(arm, seed, incumbent, difference):
    scores = [
        CertifiedScore(version=version, policy_hash=version, score=score, low=0.1, high=0.9, greedy_score=score)
        for version, score in [("v000", 0.4), ("v001", 0.5), ("v004", 0.5 + difference)]
    ]
    comparisons = [
        Comparison(
            against=against,
            metric="score",
            num_problems=400,
            attempts=8,
            score=0.5 + difference,
            other_score=other,
            difference=0.5 + difference - other,
            low=-0.01,
            high=0.2,
            wilcoxon_p=0.1,
        )
        for against, other in [("v000", 0.4), ("v001", 0.5)]
        if against != incumbent
    ]
    certificate = Certificate(
        campaign="c",
        incumbent=incumbent,
        num_problems=400,
        attempts=8,
        scores=scores,
        comparisons=comparisons,
        gate_version="1",
    )
    return BenchRun(arm=arm, seed=seed, certificate=certificate, num_trained=6, num_promoted=2)


def test_every_campaign_has_its_row_and_an_incumbent_that_is_v1_says_so():
    table = certificates_table([make_run("random", 1, "v001", 0.0), make_run("evotrainer", 0, "v004", 0.1)])
    rows = table.splitlines()[2:]
    assert rows[0].startswith("| evotrainer | 0 | 40.0 | 50.0 | v004 | 60.0 | +20.0 [-1.0, +20.0] | +10.0")
    assert rows[1].startswith("| random | 1 |") and "is it" in rows[1]


def test_the_figure_repeats_byte_for_byte():
    runs = [make_run("evotrainer", 0, "v004", 0.1), make_run("random", 0, "v001", 0.0)]
    assert certificates_figure(runs) == certificates_figure(runs)
    assert certificates_figure(runs)[:4] == b"\x89PNG"
