"""The vLLM engine against a real HTTP server with the same endpoints, scripted to be busy, broken, wrong or stale."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from conf.compose import compose_campaign
from evotrainer.config import Config, DomainConfig, RewardConfig
from evotrainer.engines import create_rollout_engine, end_all
from evotrainer.engines.base import SamplingParams
from evotrainer.engines.tiny.policy import EmbeddedPolicy
from evotrainer.engines.torch_engine import TorchRolloutEngine
from evotrainer.engines.vllm import canary, client
from evotrainer.engines.vllm.engine import VllmRolloutEngine
from evotrainer.errors import ConfigError, PolicyError, RolloutError, ServerLostError
from evotrainer.records import Message
from evotrainer.rollouts.episodes import EpisodeIdentity, EpisodeRules, play_attempts
from tests.asking_domain import ask_problem
from tests.policy_server import PolicyServer, serving

pytestmark = pytest.mark.parts

PROMPTS, SEEDS, GREEDY = [[9, 10, 11], [12, 13]], [1, 2], SamplingParams(4, 0.0)
COMPLETIONS = "/v1/completions"
IDENTITY = EpisodeIdentity("camp", "v002", "rollout", campaign_seed=11, step=4)
RULES = EpisodeRules(DomainConfig(name="tests.asking_domain:ASK"), SamplingParams(6), 4, RewardConfig(format=0.1))


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(client, "PAUSES_SECONDS", (0.01, 0.02, 0.02))
    monkeypatch.setattr(client, "HEALTH_SECONDS", 0.5)
    yield
    end_all()


@pytest.fixture
def server(digit_policy: Path) -> Iterator[PolicyServer]:
    with serving(digit_policy) as served:
        yield served


def engine_on(served: PolicyServer, path: Path, **settings: object) -> VllmRolloutEngine:
    config = Config()
    config.engine.rollout, config.engine.device = "vllm", "cpu"
    config.engine.vllm = replace(config.engine.vllm, url=served.url, **settings)
    engine = create_rollout_engine(config, path)
    assert isinstance(engine, VllmRolloutEngine)
    return engine


def opened(served: PolicyServer, path: Path, **settings: object) -> VllmRolloutEngine:
    """Return an engine whose server has passed its checks."""
    engine = engine_on(served, path, **settings)
    engine.generate(PROMPTS, GREEDY, SEEDS)
    return engine


def on_completions(fault: object, times: int) -> Callable[[str, int], object]:
    left = iter(range(times))
    return lambda path, number: fault if path == COMPLETIONS and next(left, None) is not None else None


def test_episodes_on_a_server_are_those_of_the_engine_in_this_process(server: PolicyServer, digit_policy: Path) -> None:
    """Episodes of unequal length go on one by one; their rows and turns do not tell."""
    problems = [ask_problem(name, turns) for name, turns in (("one", 1), ("three", 3), ("two", 2))]
    problems += [ask_problem("down", family="down"), ask_problem("breaks", 2, family="breaks")]
    rows, turns = play_attempts(engine_on(server, digit_policy), [*product(problems, range(4))], RULES, IDENTITY)
    torch_rows, torch_turns = play_attempts(
        TorchRolloutEngine(EmbeddedPolicy.load(digit_policy)), [*product(problems, range(4))], RULES, IDENTITY
    )
    bare = {"mean_logprob": None}
    for row, other in zip(rows, torch_rows, strict=True):
        said = [message.model_copy(update=bare) for message in row.messages]
        assert said == [message.model_copy(update=bare) for message in other.messages]
        assert row.model_copy(update={"messages": []}) == other.model_copy(update={"messages": []})
    for turn, other in zip(turns, torch_turns, strict=True):
        assert turn.model_copy(update={"logprobs": []}) == other.model_copy(update={"logprobs": []})
        assert turn.logprobs == pytest.approx(other.logprobs, abs=1e-5)


def test_an_episode_goes_on_while_another_still_waits(server: PolicyServer, digit_policy: Path) -> None:
    engine = opened(server, digit_policy)
    long_prompt = engine.codec.encode([Message(role="user", content="abce9")])
    released = threading.Event()
    complete = server.answer

    def slow(path: str, body: dict) -> tuple[int, object]:
        if body.get("prompt") == long_prompt:
            assert released.wait(20)
        elif path == COMPLETIONS and len(body["prompt"]) > len(long_prompt) + 12:
            released.set()  # a third turn of the other episode
        return complete(path, body)

    server.answer = slow
    problems = [ask_problem("slow", prompt="abce9"), ask_problem("quick", 4)]
    rows, _ = play_attempts(
        engine, [*product(problems, range(1))], replace(RULES, sampling=SamplingParams(9)), IDENTITY
    )
    assert [row.problem_id for row in rows] == ["slow", "quick"] and released.is_set()


@pytest.mark.parametrize("fault", [429, 503, 500, "close", "half"])
def test_what_passes_is_asked_for_again(server: PolicyServer, digit_policy: Path, fault: object) -> None:
    engine = opened(server, digit_policy)
    expected, before = engine.generate(PROMPTS, GREEDY, SEEDS), server.asked(COMPLETIONS)
    server.fault = on_completions(fault, 2)
    assert engine.generate(PROMPTS, GREEDY, SEEDS) == expected
    assert server.asked(COMPLETIONS) >= before + len(PROMPTS) + 2


def test_what_does_not_pass_loses_the_episode_and_is_counted(server: PolicyServer, digit_policy: Path) -> None:
    engine = opened(server, digit_policy)
    server.fault = on_completions(503, 4)
    rows, _ = play_attempts(engine, [*product([ask_problem("one")], range(1))], RULES, IDENTITY)
    assert [(row.error, row.stop_reason, row.reward, row.correct) for row in rows] == [
        ("RolloutError", "error", None, None)
    ]
    assert play_attempts(engine, [*product([ask_problem("one")], range(1))], RULES, IDENTITY)[0][0].error is None


@pytest.mark.parametrize("fault", ["early", "silence"])
def test_a_completion_given_up_or_late_is_lost_at_once(server: PolicyServer, digit_policy: Path, fault: object) -> None:
    engine = opened(server, digit_policy, request_seconds=0.3)
    before = server.asked(COMPLETIONS)
    server.fault = on_completions(fault, 1)
    with pytest.raises(RolloutError, match=r"early: abort|within 0.3 s"):
        engine.generate(PROMPTS[:1], GREEDY, SEEDS[:1])
    assert server.asked(COMPLETIONS) == before + 1


def test_no_more_requests_are_in_flight_than_allowed(server: PolicyServer, digit_policy: Path) -> None:
    engine = opened(server, digit_policy, max_requests=3)
    server.most_in_flight = 0
    engine.generate([[9, 10]] * 40, GREEDY, range(40))
    assert 1 < server.most_in_flight <= 3


def test_a_server_that_is_gone_ends_the_stage(digit_policy: Path) -> None:
    with serving(digit_policy) as served:
        engine = opened(served, digit_policy)
    with pytest.raises(ServerLostError, match=r"the vLLM server at .* is gone .* run the campaign again"):
        play_attempts(engine, [*product([ask_problem("one")], range(3))], RULES, IDENTITY)


def test_no_server_and_no_choice_of_one_are_one_line(digit_policy: Path) -> None:
    nowhere = PolicyServer(digit_policy, url="http://127.0.0.1:9")
    with pytest.raises(ServerLostError, match="127.0.0.1:9 is gone"):
        opened(nowhere, digit_policy)
    with pytest.raises(ConfigError, match="engine.rollout=vllm needs a server"):
        compose_campaign(["engine.rollout=vllm"])


@pytest.mark.parametrize(
    ("settings", "message"), [({"names": ()}, "serves no model"), ({"scale": 0.5}, "canary logprobs are off by")]
)
def test_another_server_than_the_policys_is_refused(digit_policy: Path, settings: dict, message: str) -> None:
    with serving(digit_policy, **settings) as served, pytest.raises(PolicyError, match=message):
        opened(served, digit_policy)


def test_a_server_without_token_ids_is_refused(server: PolicyServer, digit_policy: Path) -> None:
    engine = opened(server, digit_policy)
    server.fault = on_completions("no ids", 1)
    with pytest.raises(PolicyError, match="gives no token ids"):
        engine.generate(PROMPTS[:1], GREEDY, SEEDS[:1])


def test_new_weights_arrive_and_each_engine_keeps_its_own(
    server: PolicyServer, digit_policy: Path, sharper_policy: Path
) -> None:
    first, second = engine_on(server, digit_policy), engine_on(server, sharper_policy)
    for engine, path in ((first, digit_policy), (second, sharper_policy), (first, digit_policy)):
        [drawn] = engine.generate(PROMPTS[:1], SamplingParams(4), [5])
        [own] = TorchRolloutEngine(EmbeddedPolicy.load(path)).generate(PROMPTS[:1], SamplingParams(4), [5])
        assert drawn.token_ids == own.token_ids and drawn.logprobs == pytest.approx(own.logprobs, abs=1e-5)
    first.sync(sharper_policy)
    assert first.policy_id == second.policy_id
    assert server.asked("/reset_prefix_cache") == server.asked("/collective_rpc") == 4


def test_a_server_that_keeps_its_old_weights_is_stale(
    server: PolicyServer, digit_policy: Path, sharper_policy: Path
) -> None:
    engine = opened(server, digit_policy)
    server.is_stale = True
    with pytest.raises(PolicyError, match="does not serve .* canary logprobs are off by"):
        engine.sync(sharper_policy)
    with pytest.raises(PolicyError, match="does not serve"):
        engine.generate(PROMPTS, GREEDY, SEEDS)


def test_a_server_that_takes_no_weights_serves_its_own_policy_alone(
    server: PolicyServer, digit_policy: Path, sharper_policy: Path
) -> None:
    server.can_reload = False
    engine = opened(server, digit_policy)
    with pytest.raises(PolicyError, match="takes no new weights .*VLLM_SERVER_DEV_MODE"):
        engine.sync(sharper_policy)


def test_a_server_that_stands_still_is_seen_within_the_tolerance(digit_policy: Path) -> None:
    """A small step moves the checkpoint by less than two programs may differ: then the movement tells."""
    policy = EmbeddedPolicy.load(digit_policy)
    before = canary.compute(policy, "before")
    policy.model.get_parameter("lm_head.weight").data.mul_(1.0001)
    after = canary.compute(policy, "after")
    served = [dict(list(found.items())[: canary.ASKED]) for found in before.expected]
    assert canary.objection(after, served, None, "float32") == ""
    assert "the server's by 0" in canary.objection(after, served, (before, served), "float32")
    moved = [{token: found[token] for token in old} for found, old in zip(after.expected, served, strict=True)]
    assert canary.objection(after, moved, (before, served), "float32") == ""


def test_what_is_listed_of_a_flat_distribution_is_compared_on_both_sides() -> None:
    """Most tokens are on one list alone, since many are alike, and the sampled one may be any."""
    flat = canary.Canary("flat", ((1, 2),), [{token: -5.0 - token / 1000 for token in range(64)}])
    near = {token: -5.0 - token / 1000 for token in range(8)}
    assert canary.objection(flat, [near | {200: -9.0}], None, "float32") == ""
    assert "off by 0.9" in canary.objection(flat, [near | {200: -4.1}], None, "float32")
    far = dict.fromkeys(range(100, 108), -9.0)
    assert "off by 4" in canary.objection(flat, [far], None, "float32")


def test_a_prompt_that_fills_the_context_gets_an_empty_completion(server: PolicyServer, digit_policy: Path) -> None:
    server.max_model_len = 200
    engine = opened(server, digit_policy)
    full, room_for_two = engine.generate([[9] * 200, [9] * 198], SamplingParams(5), SEEDS)
    assert (full.token_ids, full.stop_reason) == ((), "max_tokens")
    assert 0 < len(room_for_two.token_ids) <= 2
