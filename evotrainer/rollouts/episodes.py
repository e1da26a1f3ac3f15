"""Episodes: problems in, graded trajectories out, for rollout, training and evaluation alike.

All running episodes generate together each turn; then each environment answers its own. On a server each episode takes
its next turn as soon as its own environment has answered. A trajectory has one seed,
derived from what it is for and never from its batch. A failing grader or environment gives a row with `error` set and
no reward: it is masked and counted, never scored 0. A cut turn ends its episode: half an action cannot be executed.
Rows hold no wall clock, since the bytes of a closed version must repeat.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from typing import Any, TypeVar

from evotrainer.algorithm.rewards import combine, terms_of
from evotrainer.campaign.ledger import usage
from evotrainer.campaign.seeds import derive_seed
from evotrainer.config import Config, DomainConfig, RewardConfig
from evotrainer.domains import create_environment, create_grader, find_domain
from evotrainer.domains.base import Environment, Grader
from evotrainer.domains.judge import Judge, JudgedGrader
from evotrainer.engines.base import Completion, RolloutEngine, SamplingParams, ServedEngine
from evotrainer.errors import InfrastructureError, ServerLostError
from evotrainer.records import Message, Problem, TokenTurn, Trajectory
from evotrainer.sandbox.sandbox import run_parallel

Result = TypeVar("Result")
Engine = RolloutEngine | ServedEngine


@dataclass(frozen=True)
class EpisodeIdentity:
    """Whose rows these are, and the key of their seeds: campaign_seed, purpose, step and replicate, not the version."""

    campaign: str
    version: str
    purpose: str
    """rollout, train, validation, test, ...: draws for different purposes are independent."""
    campaign_seed: int
    step: int = 0
    replicate: int = 0


@dataclass(frozen=True)
class EpisodeRules:
    """How episodes are played and scored."""

    domain: DomainConfig
    sampling: SamplingParams
    """max_tokens is the limit of one turn."""
    max_turns: int
    reward: RewardConfig
    judge: Judge | None = None
    """Scores answers beside the verifier; None where no judge is asked."""

    @classmethod
    def of(cls, recipe: Config, judge: Judge | None = None) -> "EpisodeRules":
        """Return how a recipe samples."""
        own = recipe.sampling
        params = SamplingParams(own.max_response_tokens, own.temperature, own.top_p)
        return cls(recipe.domain, params, own.max_turns, recipe.reward, judge)


@dataclass
class _Episode:
    """One attempt under way."""

    problem: Problem
    attempt: int
    seed: int
    environment: Environment
    messages: list[Message] = field(default_factory=list)
    context: list[int] = field(default_factory=list)
    turns: list[TokenTurn] = field(default_factory=list)
    answers: list[Message] = field(default_factory=list)
    """What the environment said last."""
    stop_reason: str = ""
    error: str | None = None


def play_attempts(
    engine: Engine, attempts: Sequence[tuple[Problem, int]], rules: EpisodeRules, identity: EpisodeIdentity
) -> tuple[list[Trajectory], list[TokenTurn]]:
    """Play numbered attempts together; return their rows and sampled turns, in this order.

    An attempt's draws depend on its number alone. Raises DataError where a prompt holds a character that the policy's
    vocabulary lacks.
    """
    episodes = [_open(engine, problem, attempt, rules, identity) for problem, attempt in attempts]
    if isinstance(engine, ServedEngine):
        _play_one_by_one(engine, episodes, rules, identity)
    else:
        _play_in_step(engine, episodes, rules, identity)
    grader = create_grader(rules.domain)
    if rules.judge is not None:
        grader = JudgedGrader(grader, rules.judge)
    rows = _for_each(episodes, grader, lambda episode: _finish(episode, grader, engine.policy_id, rules, identity))
    return rows, [turn for episode in episodes for turn in episode.turns]


def _play_in_step(
    engine: RolloutEngine, episodes: Sequence[_Episode], rules: EpisodeRules, identity: EpisodeIdentity
) -> None:
    """Take each turn of all running episodes in one call of the engine."""
    for turn in range(rules.max_turns):
        running = [episode for episode in episodes if not episode.stop_reason]
        if not running:
            break
        seeds = [derive_seed(episode.seed, "turn", turn) for episode in running]
        completions = engine.generate([episode.context for episode in running], rules.sampling, seeds)
        for episode, completion in zip(running, completions, strict=True):
            _note(engine, episode, completion, turn, rules, identity)
        _answer_all(engine, running, rules)


def _play_one_by_one(
    engine: ServedEngine, episodes: Sequence[_Episode], rules: EpisodeRules, identity: EpisodeIdentity
) -> None:
    """Let each episode go on when its own turn has ended; raises ServerLostError, and leaves no request behind."""
    waiting: dict[Future[Completion], _Episode] = {}

    def ask(asking: Sequence[_Episode]) -> None:
        for episode in asking:
            seed = derive_seed(episode.seed, "turn", len(episode.turns))
            waiting[engine.submit(episode.context, rules.sampling, seed)] = episode

    try:
        ask([episode for episode in episodes if not episode.stop_reason])
        while waiting:
            done = wait(waiting, return_when=FIRST_COMPLETED).done
            answered = [(waiting.pop(future), future) for future in list(waiting) if future in done]
            for episode, future in answered:
                try:
                    _note(engine, episode, future.result(), len(episode.turns), rules, identity)
                except ServerLostError:
                    raise
                except InfrastructureError as error:
                    _break(episode, error)
            ask(_answer_all(engine, [episode for episode, _ in answered if not episode.stop_reason], rules))
    finally:
        for future in waiting:
            future.cancel()


def _answer_all(engine: Engine, running: Sequence[_Episode], rules: EpisodeRules) -> list[_Episode]:
    """Let the environments answer those that have spoken; return the episodes that take another turn."""
    spoken = [episode for episode in running if not episode.stop_reason]
    _for_each(spoken, spoken[0].environment if spoken else None, _answer)
    for episode in spoken:
        _go_on(engine, episode, len(episode.turns) - 1, rules)
    return [episode for episode in spoken if not episode.stop_reason]


def _for_each(
    episodes: Sequence[_Episode], place: Environment | Grader | None, work: Callable[[_Episode], Result]
) -> list[Result]:
    """Return what `work` makes of each episode, in their order; of several at a time where the sandbox works.

    Attempts at one problem with the same last message follow each other: they meet the same state, which is run once.
    """
    if place is None or not place.waits_for_sandbox:
        return [work(episode) for episode in episodes]
    members: dict[tuple[str, str], list[int]] = {}
    for index, episode in enumerate(episodes):
        last = [(message.content, message.tool_calls) for message in episode.messages[-1:]]
        members.setdefault((episode.problem.problem_id, repr(last)), []).append(index)
    done = run_parallel(lambda indices: [(index, work(episodes[index])) for index in indices], members.values())
    return [result for _, result in sorted((pair for pairs in done for pair in pairs), key=lambda pair: pair[0])]


def _open(engine: Engine, problem: Problem, attempt: int, rules: EpisodeRules, identity: EpisodeIdentity) -> _Episode:
    seed = derive_seed(
        identity.campaign_seed,
        identity.purpose,
        problem.problem_id,
        attempt,
        identity.step,
        replicate=identity.replicate,
    )
    episode = _Episode(problem, attempt, seed, create_environment(rules.domain))
    try:
        episode.messages = episode.environment.reset(problem, seed)
    except InfrastructureError as error:
        _break(episode, error)
        return episode
    episode.context = engine.codec.encode(episode.messages, find_domain(rules.domain.name).tools())
    return episode


def _note(
    engine: Engine, episode: _Episode, completion: Completion, turn: int, rules: EpisodeRules, identity: EpisodeIdentity
) -> None:
    """Take down what the policy said in this turn."""
    sampled = list(completion.token_ids)
    usage().tokens += len(sampled)
    episode.turns.append(
        TokenTurn(
            trajectory_id=_trajectory_id(episode, identity),
            turn=turn,
            prompt_ids=episode.context,
            token_ids=sampled,
            logprobs=list(completion.logprobs),
            in_loss=True,
        )
    )
    mean_logprob = sum(completion.logprobs) / len(sampled) if sampled else None
    said = engine.codec.decode(sampled, find_domain(rules.domain.name).tools())
    episode.messages.append(said.model_copy(update={"num_tokens": len(sampled), "mean_logprob": mean_logprob}))
    if completion.stop_reason == "max_tokens":
        episode.stop_reason = "max_tokens"


def _answer(episode: _Episode) -> None:
    """Let the environment answer the policy's last message."""
    try:
        episode.answers, is_done = episode.environment.step(episode.messages[-1])
    except InfrastructureError as error:
        _break(episode, error)
        return
    if is_done:
        episode.stop_reason = "stop"


def _go_on(engine: Engine, episode: _Episode, turn: int, rules: EpisodeRules) -> None:
    """Take down the answer, and make it the context of the next turn if there is one."""
    if episode.error is not None:
        return
    episode.messages.extend(episode.answers)
    if episode.stop_reason:
        return
    if turn + 1 == rules.max_turns:
        episode.stop_reason = "max_turns"
    else:
        sampled = episode.turns[-1].token_ids
        episode.context = engine.codec.extend(episode.context, sampled, episode.answers)


def _break(episode: _Episode, error: InfrastructureError) -> None:
    episode.stop_reason, episode.error = "error", type(error).__name__


def _finish(
    episode: _Episode, grader: Grader, policy_id: str, rules: EpisodeRules, identity: EpisodeIdentity
) -> Trajectory:
    """Return the graded row."""
    usage().trajectories += 1
    problem = episode.problem
    num_tokens = sum(len(turn.token_ids) for turn in episode.turns)
    is_truncated = episode.stop_reason in ("max_tokens", "max_turns")
    graded: dict[str, Any] = {}
    extra: dict[str, Any] = {}
    if episode.error is None:
        try:
            grade = grader.grade(problem, episode.messages, episode.stop_reason)
            terms = terms_of(grade.terms, num_tokens, rules.sampling.max_tokens * rules.max_turns, is_truncated)
            graded = {
                "correct": grade.correct,
                "reward_terms": terms,
                "reward": combine(terms, rules.reward),
                "format_ok": grade.format_ok,
            }
            extra = grade.extra
        except InfrastructureError as error:
            episode.error = type(error).__name__
    return Trajectory(
        trajectory_id=_trajectory_id(episode, identity),
        campaign=identity.campaign,
        version=identity.version,
        split=problem.split,
        step=identity.step,
        domain=problem.domain,
        problem_id=problem.problem_id,
        group_id=f"{identity.version}.{identity.purpose}.{identity.step}.{problem.problem_id}",
        attempt=episode.attempt,
        seed=episode.seed,
        policy_id=policy_id,
        messages=episode.messages,
        stop_reason=episode.stop_reason,
        error=episode.error,
        num_turns=len(episode.turns),
        num_tokens=num_tokens,
        is_truncated=is_truncated,
        extra={"family": problem.family, "decoding": "sampled" if rules.sampling.temperature else "greedy", **extra},
        **graded,
    )


def _trajectory_id(episode: _Episode, identity: EpisodeIdentity) -> str:
    return f"{identity.version}.{identity.purpose}.{identity.step}.{episode.problem.problem_id}.{episode.attempt}"
