"""Whole swe episodes in each tool-call format: the real codec, environment and grader; only the sampler is scripted."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from evotrainer.config import DomainConfig, RewardConfig
from evotrainer.domains.swe.tools import tool_schemas
from evotrainer.engines.base import Completion, SamplingParams
from evotrainer.records import Message, ToolCall
from evotrainer.rollouts.episodes import EpisodeIdentity, EpisodeRules, run_episodes
from tests.chat_templates import FAMILIES, codec_of
from tests.swe_problems import calc_problem

SCRIPT = [
    ToolCall(name="read_file", arguments={"path": "calc.py", "start": 4, "end": 6}),
    ToolCall(name="replace_line", arguments={"path": "calc.py", "line": 6, "text": "    return a + b"}),
    ToolCall(name="submit"),
]


class ScriptedSampler:
    """Samples the ids that the policy's own template has for the calls of a script, one a turn."""

    policy_id = "scripted"

    def __init__(self, family: str) -> None:
        self.codec = codec_of(family)
        self.prompts: list[list[int]] = []

    def generate(
        self, prompts: Sequence[Sequence[int]], sampling: SamplingParams, seeds: Sequence[int]
    ) -> list[Completion]:
        (prompt,) = prompts
        call = SCRIPT[len(self.prompts)]
        self.prompts.append(list(prompt))
        text = self.codec.written(Message(role="assistant", tool_calls=[call]), tool_schemas())
        stop = self.codec.tokenizer.token_to_id(self.codec.special["eos_token"])
        ids = (*self.codec.tokenizer.encode(text, add_special_tokens=False).ids, stop)
        return [Completion(ids, (-0.1,) * len(ids), "stop")]

    def sync(self, path: Path) -> None:
        raise AssertionError("nothing is trained")


@pytest.mark.parametrize("family", FAMILIES)
def test_an_issue_is_solved_in_the_format_of_the_template(family: str):
    engine = ScriptedSampler(family)
    rules = EpisodeRules(DomainConfig(name="swe"), SamplingParams(max_tokens=4096), 8, RewardConfig())
    rows, turns = run_episodes(engine, [calc_problem()], 1, rules, EpisodeIdentity("c", "v", "rollout", 0))
    (row,) = rows
    assert (row.correct, row.stop_reason, row.num_turns) == (1.0, "stop", len(SCRIPT))
    assert [call.name for message in row.messages for call in message.tool_calls] == [call.name for call in SCRIPT]
    assert "4: " in next(message.content for message in row.messages if message.tool_name == "read_file")
    shown = engine.codec.tokenizer.decode(engine.prompts[0], skip_special_tokens=False)
    assert all(tool["function"]["name"] in shown for tool in tool_schemas())
    for turn, later in zip(turns, turns[1:], strict=False):
        known = [*turn.prompt_ids, *turn.token_ids]
        assert later.prompt_ids[: len(known)] == known
