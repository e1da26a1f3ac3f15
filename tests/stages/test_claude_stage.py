"""The propose stage with a trainer agent behind a real endpoint: what it reads, records, costs, and may not do."""

import json
from pathlib import Path
from typing import Any

import pytest

from evotrainer.agents.claude.tools import MAX_REFUSALS
from evotrainer.campaign.gates import begin as begin_gates
from evotrainer.campaign.gates import record_answer
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.ledger import spent_dollars
from evotrainer.campaign.repository import save_config
from evotrainer.config import load_config
from evotrainer.config.code import reference
from evotrainer.config.interventions import with_values
from evotrainer.errors import BudgetError
from evotrainer.records import GateAnswer
from evotrainer.report.gates import gate_question
from tasks import backtest as backtest_stage
from tasks import propose as propose_stage
from tests.claude_campaign import proposal_of, with_trainer
from tests.messages_server import Endpoint, message, results_in
from tests.scripted_expert import Expert, candidate, propose

ROOT = Path(__file__).parents[2]
RATE = {"algorithm.learning_rate": 1e-4}
ONE_AT_A_TIME = {"search.candidates_per_generation": 1}
"""As gates ask for where a model proposes."""


def with_settings(files: CampaignFiles, settings: dict[str, Any]) -> CampaignFiles:
    save_config(files.config, with_values(load_config(files.config), settings))
    return files


def costs(files: CampaignFiles, version: str = "v002") -> dict[str, float]:
    return json.loads((files.version(version).costs / "propose.json").read_text())


def answered(endpoint: Endpoint, *replies) -> None:
    endpoint.reply = lambda body, number: replies[min(number, len(replies)) - 1]


def test_an_expert_reads_the_evidence_and_its_proposal_is_tried(files, endpoint):
    expert = endpoint.reply = Expert()
    propose_stage.run(files, "v002")
    backtest_stage.run(files, "v002")
    made = proposal_of(files)
    assert not any(block.get("is_error") for results in expert.results for block in results), expert.results
    shown = [block["content"] for results in expert.results for block in results]
    opening = endpoint.requests[0]["messages"][0]["content"][0]["text"]
    assert "40% of groups have no variance; numbers share=0.4" in opening and "v002 | candidate" in shown[2]
    assert "[assistant] <answer>" in shown[1]
    assert {one.author for one in made.pool} == {"claude"} and made.agent == "claude"
    assert {one.factor for one in made.pool} == {"learning_rate", "group_size"}
    assert made.diagnosis and made.diagnosis.bottleneck == "steps too small" and made.refused == []
    (rate,) = [one for one in made.pool if one.factor == "learning_rate"]
    assert rate.hypothesis.startswith("if algorithm.learning_rate=0.000128 then score moves by +0.05 because kl")
    assert rate.evidence == ["dead_groups"] and {one.metric for one in rate.limits} >= {"truncation_rate"}
    assert rate.success[0].metric == "score", "the usual conditions stand beside those of the agent"
    chosen = files.version("v002").backtest.read()
    assert chosen.intervention_id == made.chosen
    config = load_config(files.version("v002").config)
    assert made.choice and config.trainer.name == "claude"
    assert costs(files)["tokens"] == 3 * 1100 and costs(files)["dollars"] == pytest.approx(3 * 0.006)
    assert costs(files)["agent_input"] == 3000


def test_a_person_sends_a_candidate_back_and_the_agent_is_told(files, endpoint):
    own = with_settings(files, ONE_AT_A_TIME).version("v002")
    begin_gates(own, files, [])
    endpoint.reply = Expert()
    propose_stage.run(files, "v002")
    first, asked = proposal_of(files), len(endpoint.requests)
    answer = GateAnswer(version="v002", gate="proposal", decision="revise", text="no new rate", candidate=first.chosen)
    record_answer(own, answer)
    endpoint.reply = Expert()
    propose_stage.run(files, "v002")
    second = proposal_of(files)
    opening = str(endpoint.requests[asked]["messages"][0])
    assert "follow it" in opening and "sent back: no new rate" in opening
    assert second.chosen not in (None, first.chosen)
    record_answer(own, answer.model_copy(update={"decision": "abort", "text": "enough"}))
    asked = len(endpoint.requests)
    propose_stage.run(files, "v002")
    assert proposal_of(files).chosen is None and len(endpoint.requests) == asked
    assert proposal_of(files).refused == ['a person gave it up at its proposal ("enough")']


def test_rules_take_their_next_candidate_when_a_person_sends_one_back(files):
    own = with_settings(with_trainer(files, name="rules"), ONE_AT_A_TIME).version("v002")
    begin_gates(own, files, [])
    taken = []
    for _ in range(3):
        propose_stage.run(files, "v002")
        found = proposal_of(files)
        taken.append(found.chosen)
        record_answer(own, GateAnswer(version="v002", gate="proposal", decision="revise", candidate=found.chosen))
    assert None not in taken and len(set(taken)) == 3
    propose_stage.run(files, "v002")
    asked = gate_question(files, "v002", "proposal", load_config(files.config)).splitlines()
    back = [one.change for one in proposal_of(files).pool if one.intervention_id in taken]
    assert len(back) == 3 and {f"- sent back by a person: {diff}" for diff in back} <= set(asked)
    assert not {f"- also in the pool: {diff}" for diff in back} & set(asked)


@pytest.mark.parametrize(
    ("setting", "reason"),
    [
        ({"evaluate.attempts": 64}, "'evaluate.attempts' is protected"),
        ({"algorithm.learning_rate": 1e-4, "reward.format": 0.3}, "a candidate changes one factor"),
        ({"algorithm.learning_rate": 6.4e-5}, "changes nothing"),
    ],
)
def test_an_unlawful_candidate_is_refused_with_its_reason_and_the_next_one_stands(files, endpoint, setting, reason):
    answered(endpoint, message(propose(candidate(setting), candidate(RATE))))
    propose_stage.run(files, "v002")
    told = [results_in(request)[0] for request in endpoint.requests[1:]]
    assert len(told) == MAX_REFUSALS and all(block["is_error"] and reason in block["content"] for block in told)
    made = proposal_of(files)
    assert [one.diff for one in made.pool] == [{"algorithm.learning_rate": (6.4e-5, 1e-4)}]
    assert made.chosen == made.pool[0].intervention_id and reason in made.refused[0]


def test_code_that_it_writes_passes_the_laws_and_guards_of_everybodys_code(files, endpoint):
    source = (ROOT / "conf" / "intervention" / "brief_answers.py").read_text()
    hostile = "import os\n\n\ndef reward(row):\n    return float(os.getpid())\n"
    own, bad = (candidate({}, code={"reward.code": text}) for text in (source, hostile))
    answered(endpoint, message(propose(bad, own)), message(propose(own)))
    propose_stage.run(files, "v002")
    assert "the file imports os" in results_in(endpoint.requests[1])[0]["content"]
    (made,) = proposal_of(files).pool
    assert made.diff == {"reward.code": ("", reference(source))} and made.files == {reference(source): source}
    assert [path.read_text() for path in files.version("v002").code.iterdir() if path.suffix == ".py"] == [source]


def test_what_was_tried_malformed_claims_and_reserved_words_are_refused(files, endpoint):
    bad = [
        candidate(RATE, triggers=[{"metric": "luck", "operator": ">", "value": 0}]),
        candidate(RATE, limits=[{"metric": "dead_group_ratio", "operator": "<=", "value": 0.1}]),
        candidate(RATE) | {"prediction": candidate(RATE)["prediction"] | {"size": 0.9}},
    ]
    answered(
        endpoint,
        message(propose(*bad)),
        message(propose(candidate(RATE, author="skill:x", evidence=["escalated:now"]))),
    )
    propose_stage.run(files, "v002")
    first, second = (results_in(request)[0]["content"] for request in endpoint.requests[1:3])
    assert all(reason in first for reason in ("'luck' is not measured", "does not hold now"))
    assert "lies outside its interval" in first and "candidates.0.author: Extra inputs" in second
    assert "candidates.0.evidence.0: String should match" in second
    made = proposal_of(files)
    assert made.pool == [] and made.chosen is None and made.diagnosis is not None
    assert not files.version("v002").backtest.exists()


def test_nothing_lawful_closes_the_version_untrained_and_rules_do_not_step_in(files, endpoint):
    answered(endpoint, message(propose(candidate({"evaluate.attempts": 64}))))
    propose_stage.run(files, "v002")
    backtest_stage.run(files, "v002")
    made = proposal_of(files)
    assert made.pool == [] and "claude agent has only 0 lawful proposals left" in made.refused[-1]
    assert not files.version("v002").backtest.read().accepted


def test_a_spent_budget_stops_the_stage_and_what_was_paid_is_kept(files, endpoint):
    endpoint.reply = Expert()
    with_settings(files, {"budget.total.dollars": 0.27})
    other = files.revision("r01").costs
    other.mkdir(parents=True)
    (other / "evolve.json").write_text(json.dumps({"tokens": 1, "dollars": 0.07}))
    with pytest.raises(BudgetError, match=r"has spent \$0\.0\d+ of budget.total.dollars=0.27"):
        propose_stage.run(files, "v002")
    asked = len(endpoint.requests)
    assert 1 <= asked < 3 and not files.version("v002").proposal.exists(), "nothing half-applied"
    assert costs(files)["dollars"] == pytest.approx(0.006 * asked)
    assert spent_dollars(files, files.version("v002")) == 0.07
    with_settings(files, {"budget.total.dollars": 10.0})
    propose_stage.run(files, "v002")
    assert len(endpoint.requests) == 3, "what was answered is not asked again"
    assert costs(files)["dollars"] == pytest.approx(0.006 * 3)


def test_a_score_only_search_shows_neither_findings_nor_evidence(files, endpoint):
    with_settings(files, {"search.use_findings": False})
    answered(endpoint, message(propose(candidate(RATE) | {"because": "a guess of mine"})))
    propose_stage.run(files, "v002")
    names = [tool["name"] for tool in endpoint.requests[0]["tools"]]
    assert names == ["propose"]
    assert "40% of groups" not in json.dumps(endpoint.requests) and len(proposal_of(files).pool) == 1
