"""Channels that are taken away: what is refused, what is hidden, what counts for a grade, and what an audit says."""

from dataclasses import replace

import numpy as np
import pytest

from conf.compose import compose_campaign
from evotrainer.config import DomainConfig
from evotrainer.domains import create_environment
from evotrainer.domains.channels import NOT_OFFERED, NOT_SHOWN, Channel, leading_word
from evotrainer.errors import ConfigError
from evotrainer.levers.ablation import DEPENDENT, Pair, Scored
from evotrainer.levers.channel_audit import MODE, channel_finding, risen, share_of, surplus
from evotrainer.records import Trajectory
from tests.audited_rows import attempts
from tests.swe_problems import FIX, SUBMIT, Call, calc_problem, grade, play

OPEN, STRICT = DomainConfig(name="swe", access="open_history"), DomainConfig(name="swe")
LOG: Call = ("git", {"arguments": "log --all --oneline"})
STATUS: Call = ("git", {"arguments": "status --short"})
TESTS: Call = ("run_tests", {})
GIT_LOG = Channel("argument", "git", "log")
TEMPLATE = attempts(lambda text: 0.0, problems=1)[0]


def without(*channels: str) -> DomainConfig:
    return replace(OPEN, withheld_channels=list(channels))


def said(*calls: Call, domain: DomainConfig) -> list[str]:
    return [message.content for message in play(calc_problem(), calls, domain) if message.role == "tool"]


def rows(*calls: Call, count: int = 20) -> list[Trajectory]:
    messages = play(calc_problem(), calls, OPEN)
    return [TEMPLATE.model_copy(update={"messages": messages, "problem_id": "calc"}) for _ in range(count)]


def pair(given: int, left: int) -> Pair:
    return tuple(Scored(np.full(32, right, float), np.full(32, 8)) for right in (given, left))  # type: ignore[return-value]


def test_a_tool_and_a_class_of_its_arguments_are_not_offered():
    assert said(TESTS, FIX, domain=without("tool:run_tests")) == [NOT_OFFERED, "edited calc.py"]
    assert said(LOG, STATUS, domain=without("argument:git=log"))[0] == NOT_OFFERED
    assert said(STATUS, domain=without("argument:git=log")) == said(STATUS, domain=OPEN)


def test_a_class_of_answers_is_not_shown():
    assert said(TESTS, domain=OPEN) == ["2 passed"]
    assert said(TESTS, FIX, domain=without("answer:run_tests=#")) == [NOT_SHOWN, "edited calc.py"]


def test_a_call_that_was_not_carried_out_is_not_graded():
    assert grade(calc_problem(), [FIX, SUBMIT], OPEN).correct == 1
    assert grade(calc_problem(), [FIX, SUBMIT], without("tool:edit")).correct == 0


@pytest.mark.parametrize(
    ("domain", "channel", "text"),
    [
        ("swe", "git", "'git' is no channel: write tool:NAME"),
        ("swe", "tool:git=log", "is no channel"),
        ("swe", "tool:grep", "lacks that tool; it has list_files"),
        ("math", "tool:git", "domain math lacks that tool; it has no tools"),
    ],
)
def test_a_wrong_channel_is_refused_in_one_line(domain, channel, text):
    with pytest.raises(ConfigError, match=text):
        compose_campaign([f"domain={domain}", f"domain.withheld_channels=['{channel}']"])


def test_a_word_is_letters_digits_or_one_sign():
    assert [leading_word(text) for text in ("log --all", "  12 passed", "--help", "")] == ["log", "#", "-", ""]


def test_channels_that_grew_are_asked_once_for_the_same_attempts():
    own, base = [*rows(LOG, TESTS, count=12), *rows(TESTS, count=8)], rows(TESTS)
    assert Channel("tool", "git") in risen(own, base) and GIT_LOG not in risen(own, base)
    assert [str(one) for one in risen(base, base)] == []
    assert share_of(own, GIT_LOG) == 0.6 and share_of(base, GIT_LOG) == 0


def test_what_sealed_episodes_lack_is_a_surplus_and_what_they_have_is_none():
    strict = lambda: create_environment(STRICT)  # noqa: E731
    assert surplus(rows(LOG, count=1), GIT_LOG, strict, [calc_problem()]) == 1.0
    assert surplus(rows(TESTS, count=1), Channel("tool", "run_tests"), strict, [calc_problem()]) == 0.0


def test_a_dependence_is_invalid_by_what_the_channel_gives_alone():
    (gives,) = channel_finding("v001", GIT_LOG, pair(7, 0), pair(2, 2), 0.9)
    (skill,) = channel_finding("v001", Channel("tool", "run_tests"), pair(7, 0), pair(2, 2), 0.0)
    assert (gives.mode, gives.severity) == (DEPENDENT, "invalid") and gives.numbers["surplus"] == 0.9
    assert (skill.mode, skill.severity) == (MODE, "info") and "sealed episodes have it as well" in skill.message
    assert channel_finding("v001", GIT_LOG, pair(7, 6), pair(2, 2), 0.9) == []
