"""Every failure mode has an answer: a rule that can propose, or a line that says why no recipe can."""

from pathlib import Path

import pytest

from benchmarks.failure_modes import FAILURE_MODES
from evotrainer.agents import ProposalContext
from evotrainer.agents.answers import UNANSWERED, answering, answers_page
from evotrainer.config import Config
from evotrainer.config.interventions import with_values
from evotrainer.records import Finding, HarnessReport
from tests.trainer_agents import agent_of

PAGE = Path(__file__).parents[2] / "docs" / "answers.md"


def proposed(config: Config, *modes: str, **metrics: float) -> dict[str, dict]:
    """Return {rule: what it sets} of the rules that fired on findings of these modes."""
    findings = [Finding(mode=mode, severity="warning", diagnostic="d", version="v001", message="m") for mode in modes]
    report = HarnessReport(version="v001", harness_version="h", metrics=metrics, findings=findings)
    made = agent_of(config).propose(ProposalContext(config, "v001", 2, report, []))
    fired = [one for one in made if set(modes) & set(one.evidence)]
    return {one.evidence[-1].removeprefix("rule:"): {k: new for k, (_, new) in one.diff.items()} for one in fired}


def test_the_page_is_what_the_code_says():
    assert PAGE.read_text(encoding="utf-8") == answers_page(FAILURE_MODES), answers_page(FAILURE_MODES)


def test_every_mode_has_rules_or_a_reason_and_never_both():
    assert set(UNANSWERED) <= set(FAILURE_MODES)
    for mode in FAILURE_MODES:
        assert bool(answering(mode)) != (mode in UNANSWERED), mode


@pytest.mark.parametrize("mode", [mode for mode in FAILURE_MODES if mode not in UNANSWERED])
def test_a_rule_of_each_answered_mode_can_propose(mode):
    recipe = {"domain.name": "swe", "sampling.max_turns": 8, "algorithm.num_minibatches": 2, "reward.partial": 0.2}
    recipe |= {"reward.format": 0.2}
    judged = {"domain.judge_url": "http://localhost:1/v1", "reward.judge": 0.4, "filter.group": "ragen_v1"}
    assert proposed(with_values(Config(), recipe | judged), mode)


def test_rules_of_tools_propose_where_there_are_tools_alone():
    modes = ("echo_trap", "timidity")
    swe = proposed(with_values(Config(), {"domain.name": "swe", "sampling.max_turns": 9}), *modes)
    assert swe["degenerate_masked"] == {f"filter.mask_{name}": True for name in ("abandon", "idle", "echo")}
    assert swe["steps_unpaid"] == {"reward.search_before_edit": 0.1, "reward.edit_then_test": 0.15}
    assert swe["circles_cut"] == {"sampling.max_turns": 6}
    assert proposed(Config(), *modes) == {}


def test_a_judge_answers_dead_groups_where_there_is_one():
    judged = with_values(Config(), {"domain.name": "code", "domain.judge_url": "http://localhost:1/v1"})
    assert proposed(judged, "dead_groups")["dead_groups_judged"] == {"reward.judge": 0.2}
    assert "dead_groups_judged" not in proposed(with_values(Config(), {"domain.name": "code"}), "dead_groups")


def test_a_hacked_judge_is_paid_less_and_then_not_at_all():
    judged = {"domain.name": "code", "domain.judge_url": "http://localhost:1/v1"}
    for pay, less in ((0.4, 0.2), (0.2, 0.0)):
        assert proposed(with_values(Config(), judged | {"reward.judge": pay}), "judge_hacking") == {
            "judge_hacked": {"reward.judge": less}
        }
