"""Adding is local: a domain is one folder, a reward term, an agent and a search are one file each.

Each test writes what a person would write, in a package or folder of its own, and names it in a configuration alone.
"""

import textwrap
from pathlib import Path

import pytest

from conf.compose import compose_campaign
from evotrainer.agents import AgentRecord, ProposalContext, make_agent
from evotrainer.algorithm.rewards import combine
from evotrainer.config.interventions import check
from evotrainer.diagnosis.checks import load_checks
from evotrainer.diagnosis.harness import Harness, read_context
from evotrainer.domains import access_policy, create_grader, factors_in, find_domain
from evotrainer.domains.problem_sets.loading import load_problems, problem_of
from evotrainer.errors import ConfigError
from evotrainer.evidence.rows import Rows
from evotrainer.evidence.store import read_signals
from evotrainer.records import HarnessReport, Message, Problem
from evotrainer.rollouts.evaluation import evaluate_policy, open_policy, write_evaluation
from evotrainer.search import make_search
from evotrainer.training import train
from evotrainer.training.base import TrainingRun
from tasks.diagnose.foreign import diagnosed, read_evidence
from tests.plain_records import version_spec
from tests.version_files import write_problems

ROOT = Path(__file__).parents[2]

DOMAIN = r'''
"""A game of one turn: the digit at the end. `bafh7` is answered by `<answer>7</answer>`."""

from re import fullmatch

from evotrainer.domains.base import Domain, Grade
from evotrainer.domains.problem_sets.rows import Row, text_of
from evotrainer.records import AccessPolicy, Message


class Environment:
    waits_for_sandbox = False

    def __init__(self, domain):
        pass

    def reset(self, problem, seed):
        return [Message(role="user", content=problem.prompt)]

    def step(self, message):
        return [], True


class Grader:
    waits_for_sandbox = False

    def __init__(self, domain):
        pass

    def grade(self, problem, messages, stop_reason):
        said = fullmatch(r"<answer>(\d)</answer>", messages[-1].content)
        correct = float(bool(said) and said[1] == problem.answer)
        return Grade(correct, {"correct": correct, "format": float(bool(said))}, bool(said), {})


def parse_row(values, place):
    prompt = text_of(values, "problem", place)
    answer = text_of(values, "answer", place)
    return Row(text_of(values, "id", place), prompt, answer, prompt[0], 0.5, {}, identity=prompt)


GAME = Domain(
    name="numbers",
    environment=Environment,
    grader=Grader,
    parse_row=parse_row,
    access=(AccessPolicy(name="anything"), AccessPolicy(name="no_hints", strictness=1, answers=["hint_reading"])),
)
'''

TERM = """
def is_short(problem, messages, grade):
    return float(len(messages[-1].content) <= 1)
"""

AGENT = '''
from evotrainer.config.interventions import build
from evotrainer.records import Prediction


class TermAgent:
    """Pays for the person's own term."""

    def __init__(self, record):
        pass

    def propose(self, context):
        return [build(
            context.config, {"reward.terms.is_short": 0.3}, author="own", hypothesis="short answers are right",
            prediction=Prediction(metric="score", direction="up", size=0.01, low=0.0, high=0.1, probability=0.5),
            success=[], limits=[], parents=[context.incumbent], table=context.factors,
        )]
'''

SEARCH = '''
from evotrainer.search.base import SearchStrategy, candidates


class ThreeAtOnce(SearchStrategy):
    """Three candidates a generation."""

    def plan(self, records, config, places):
        return candidates(records, config, 3)

    def select(self, pool, backtests, slot, config):
        return slot
'''

SETTINGS = [
    "domain.name=own_numbers.game:GAME",
    "domain.data_path=numbers",
    "domain.terms=[own_term:is_short]",
    "reward.terms={is_short: 0.0}",
    "trainer.name=own_agent:TermAgent",
    "search.name=own_search:ThreeAtOnce",
    "sampling.max_response_tokens=6",
    "evaluate.max_response_tokens=6",
    "evaluate.attempts=2",
    "budget.train_tokens=1000",
    "budget.max_steps=2",
    "engine.device=cpu",
]


@pytest.fixture
def root(tmp_path: Path, digit_problems: list[Problem], monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on the path of imports that holds what a person wrote."""
    (tmp_path / "own_numbers").mkdir()
    (tmp_path / "own_numbers" / "game.py").write_text(DOMAIN)
    for name, text in (("own_term", TERM), ("own_agent", AGENT), ("own_search", SEARCH)):
        (tmp_path / f"{name}.py").write_text(textwrap.dedent(text))
    write_problems(tmp_path / "numbers", train=digit_problems[:40], validation=digit_problems[40:80])
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_a_domain_in_one_folder_is_trained_evaluated_and_diagnosed(root: Path, digit_policy: Path):
    config = compose_campaign(SETTINGS)
    assert access_policy(config.domain).name == "no_hints"
    problems = {split: load_problems(root, config.domain, split) for split in ("train", "validation")}
    names = {"campaign": "c", "version": "v001", "seed": 3, "pass_rates": {}}
    out = root / "v001"
    result = train(TrainingRun(config, digit_policy, problems["train"], out, scratch=root / "scratch", **names))
    assert result.num_steps == len(read_signals(out / "training")) >= 1
    rows = list(Rows.read(out / "training"))
    assert {row.domain for row in rows} == {config.domain.name}
    assert all(set(row.reward_terms) >= {"correct", "format", "is_short"} for row in rows if row.error is None)
    engine = open_policy(config, out / "model", result.policy_hash)
    spec = version_spec("v001", "baseline")
    judged = evaluate_policy(engine, problems["validation"], config, spec, "validation")
    write_evaluation(root / "validation", judged, config)
    assert any(row.correct for row in judged) and not any(row.error for row in judged)
    context = read_context(
        "v001", rows=out / "training", training=out / "training", validation=root / "validation", recipe=config
    )
    report = Harness(ROOT / "harness_plugins", config.harness).run(context)
    assert report.metrics["num_rows"] == len(rows)
    assert report.metrics["avg_at_k"] == pytest.approx(sum(row.correct or 0 for row in rows) / len(rows))
    assert "term_is_short_mean" in report.metrics


def test_a_reward_term_is_one_file_and_its_weight_a_factor(root: Path):
    config = compose_campaign(SETTINGS)
    assert factors_in(config)["is_short_reward"].keys == ("reward.terms.is_short",)
    assert combine({"correct": 1.0, "is_short": 1.0}, config.reward) == 1.0
    config.reward.terms["is_short"] = 0.5
    assert combine({"correct": 1.0, "is_short": 1.0}, config.reward) == 1.5


def test_a_trainer_agent_is_one_file(root: Path):
    config = compose_campaign(SETTINGS)
    report = HarnessReport(version="v001", harness_version="h")
    context = ProposalContext(config, "v000", 1, report, [])
    (proposal,) = make_agent(config, AgentRecord(root / "agent.jsonl")).propose(context)
    assert proposal.factor == "is_short_reward"
    assert check(proposal, config, table=context.factors).reward.terms == {"is_short": 0.3}


def test_a_search_is_one_file(root: Path, make_records):
    config = compose_campaign(SETTINGS)
    base = ("v000", 0.0, {"generation": 0, "kind": "base", "incumbent": "v000", "parents": []})
    records = make_records(base, ("v001", 0.2, {"generation": 1, "kind": "baseline", "incumbent": "v000"}))
    plans = make_search(config).next_generation(records, config)
    assert [plan.version for plan in plans] == ["v002", "v003", "v004"]


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("domain.name=chess", "domain.name='chess' is unknown: choose from math, code, swe"),
        ("domain.name=nowhere:GAME", "domain.name='nowhere:GAME' cannot be imported"),
        ("domain.name=own_term:is_short", "is a function: name an instance of a Domain"),
        ("domain.access=ajar", "domain.access='ajar' is unknown in domain math: choose from full"),
        ("search.name=own_search:Luck", "search.name='own_search:Luck' cannot be imported"),
    ],
)
def test_what_is_not_there_is_refused_before_a_campaign_starts(root: Path, setting: str, message: str):
    with pytest.raises(ConfigError, match=message.replace("[", r"\[")):
        compose_campaign([setting])


EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"


def test_the_shipped_examples_do_what_their_pages_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLES.parents[1])  # where a person types, and modules of the checkout are found
    place = "docs.examples.environment:GUESS"
    config = compose_campaign([f"domain.name={place}", "domain.terms=[docs.examples.reward_term:brevity]"])
    domain = find_domain(place)
    problems = [problem_of(domain.parse_row(row, ""), place, "train") for _, row in domain.problem_rows()]
    environment, grader, asked = domain.environment(config.domain), create_grader(config.domain), problems[36]
    messages, is_over, guess, step = environment.reset(asked, 0), False, 32, 16
    while not is_over:
        messages.append(Message(role="assistant", content=str(guess)))
        answer, is_over = environment.step(messages[-1])
        messages += answer
        guess, step = guess + (step if answer and answer[0].content == "higher" else -step), step // 2
    grade = grader.grade(asked, messages, "stop")
    assert grade.correct == 1.0 and grade.terms == {"correct": 1.0, "format": 1.0, "brevity": 1.0}
    assert grader.grade(asked, messages[:-1], "stop").correct == 0.0
    found = diagnosed(*read_evidence(EXAMPLES / "trajectories.jsonl", ""), load_checks(EXAMPLES / "checks.yaml"))
    assert any("hold a step that adds nothing" in one.message for one in found.findings)
