"""Demonstrations of the swe domain: the real environment says the same, the grader agrees with what they claim."""

from collections import Counter
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random

import pytest
import yaml

from evotrainer.config import DomainConfig, EmbeddedPolicyConfig
from evotrainer.domains.problem_sets.base import ALPHABET, Demonstration
from evotrainer.domains.problem_sets.splits import SHARES, split_of
from evotrainer.domains.swe.environment import SweEnvironment
from evotrainer.domains.swe.grading.grader import SweGrader
from evotrainer.domains.swe.problems import FAMILIES
from evotrainer.domains.swe.problems.demonstrations import PIECES, demonstrate, demonstrations
from evotrainer.domains.swe.problems.functions import Function
from evotrainer.domains.swe.problems.generator import draw_problem
from evotrainer.domains.swe.problems.rehearsal import problem_of
from evotrainer.engines.codec import HfChatCodec
from evotrainer.engines.tiny.creation import MAX_POSITIONS, create_policy
from evotrainer.records import Message

pytestmark = pytest.mark.parts

DOMAIN = DomainConfig(name="swe")
OPEN = DomainConfig(name="swe", access="open_history")
LIMITS = yaml.safe_load((Path(__file__).parents[2] / "conf/domain/swe.yaml").read_text())["sampling"]


@cache
def drawn() -> list[Demonstration]:
    return list(islice(demonstrations(seed=5), 300))


@pytest.fixture(scope="module")
def codec(tmp_path_factory: pytest.TempPathFactory) -> HfChatCodec:
    path = tmp_path_factory.mktemp("demonstrations") / "policy"
    create_policy(path, EmbeddedPolicyConfig(hidden_size=8, num_heads=1, num_layers=1), ALPHABET, 0, PIECES)
    return HfChatCodec.from_directory(path)


@pytest.mark.parametrize("seed", range(len(FAMILIES)))
def test_the_sandboxed_environment_gives_the_same_answers_and_the_grader_the_right_grade(codec, seed):
    rng = Random(seed)
    draw = draw_problem(rng, "train", FAMILIES[seed])
    problem = problem_of(draw)
    for _ in range(3):
        shown = demonstrate(draw, rng)
        domain = OPEN if _restores(shown) else DOMAIN
        environment = SweEnvironment(domain)
        messages = environment.reset(problem, seed=0)
        assert tuple(messages) == shown.opening
        is_done = False
        for turn in shown.turns:
            assert not is_done
            said = codec.decode(codec.response_ids(turn.response))
            answers, is_done = environment.step(said)
            assert tuple(answers) == turn.answers
            messages += [said, *answers]
        written = [
            call.arguments["text"] for message in messages for call in message.tool_calls if call.name == "replace_line"
        ]
        grade = SweGrader(domain).grade(problem, messages, "stop")
        if _restores(shown):
            assert not written and grade.correct == 1.0
        elif written[-1] in (draw.bug.right, draw.bug.wrong):  # another text may happen to do the same as the right one
            assert grade.correct == float(is_done and written[-1] == draw.bug.right)
            assert grade.extra["lenient_correct"] == float(written[-1] == draw.bug.right)


def test_repositories_are_of_the_train_share():
    rng = Random(8)
    for family in FAMILIES:
        for module in draw_problem(rng, "train", family).repository.modules:
            for function in module.functions:
                assert not isinstance(function, Function) or split_of(function.sketch.canonical(), SHARES) == "train"


def test_every_text_fits_the_policy(codec):
    assert all(piece.isascii() and all(c.isprintable() or c == "\n" for c in piece) for piece in PIECES)
    assert len(set(PIECES)) == len(PIECES)
    for shown in drawn():
        ids = codec.encode(shown.opening)
        for turn in shown.turns:
            sampled = codec.response_ids(turn.response)
            assert len(sampled) <= LIMITS["max_response_tokens"]
            ids = codec.extend(ids, sampled, turn.answers)
        assert len(ids) < MAX_POSITIONS // 2 and len(shown.turns) <= LIMITS["max_turns"]


def test_calls_are_short(codec):
    calls = [turn.response for shown in drawn() for turn in shown.turns]
    lengths = [len(codec.response_ids(call)) for call in calls if "replace_line" in call]
    assert sum(lengths) / len(lengths) < 25


def _tools(shown: Demonstration) -> list[str]:
    return [message.tool_name or "none" for turn in shown.turns for message in turn.answers]


def _restores(shown: Demonstration) -> bool:
    return any(answer.tool_name == "git" and answer.ok for turn in shown.turns for answer in turn.answers)


def test_habits_are_mixed():
    shown, episodes = drawn(), [_tools(shown) for shown in drawn()]
    count = Counter(tool for tools in episodes for tool in set(tools))
    assert 0.8 < count["submit"] / len(shown) < 0.97
    assert 0.6 < count["run_tests"] / len(shown) < 0.98
    assert 0.005 < count["git"] / len(shown) < 0.05
    mended = [tools for tools in episodes if "replace_line" in tools]
    assert len(mended) + sum(_restores(one) for one in shown) == len(shown)
    twice = sum(tools.count("replace_line") == 2 for tools in episodes)
    assert 0.05 < twice / len(shown) < 0.3
    unread = [tools for tools in mended if not {"read_file"} & set(tools[: tools.index("replace_line")])]
    assert 0.005 < len(unread) / len(shown) < 0.1


def test_upstream_is_asked_in_vain_or_gives_the_fix():
    asked = [shown for shown in drawn() if "git" in _tools(shown)]
    restored = [shown for shown in asked if _restores(shown)]
    assert 0 < len(restored) < len(asked)
    assert all(_tools(shown)[-2:] == ["git", "submit"] for shown in restored)
    assert all("replace_line" in _tools(shown) for shown in asked if not _restores(shown))


def test_equal_seeds_give_equal_demonstrations():
    again = list(islice(demonstrations(seed=5), 5))
    assert again == drawn()[:5] and again != list(islice(demonstrations(seed=6), 5))
    assert isinstance(again[0].opening[0], Message)
