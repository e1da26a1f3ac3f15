"""Plays and grades the episodes of one vLLM engine, for agent.py, whose child it is: JSON lines in and out.

Each attempt is `play_attempts` of rollouts/, in a thread of its own, with an engine whose completions come from the
other side: what is stored and paid is what any engine's episode would be. Attempts at one drawn problem form a group.
When the last of them is over, the group is filtered and masked by the recipe's own code, written to a file, and each
attempt is told its reward. A masked attempt stands at the mean of those that count, so that it moves no mean.

    {"id": 1, "open": {"draw": 7, "problem_id": "p"}}     {"id": 1, "episode": 0, "prompt_ids": [...], "seed": 5}
    {"id": 2, "episode": 0, "turn": {"token_ids", "logprobs", "stop"}}      the next prompt, or
                                                          {"id": 2, "episode": 0, "end": {"reward", "score", ...}}
"""

import json
import os
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from evotrainer.campaign.chat_endpoint import merge_record
from evotrainer.domains.judge import Judge, open_judge
from evotrainer.engines.base import ChatCodec, Completion, SamplingParams
from evotrainer.engines.codec import HfChatCodec
from evotrainer.errors import EvoTrainerError, RolloutError
from evotrainer.records import Problem, TokenTurn, Trajectory
from evotrainer.rollouts.episodes import EpisodeIdentity, EpisodeRules, play_attempts
from evotrainer.training.openrlhf.groups import settle_group, write_group
from evotrainer.training.openrlhf.inputs import WorkerSpec

KNOWN_ANSWERS = "known.jsonl"
"""Answers of the judge that were known before the job."""
MAX_THREADS = 512
"""Episodes under way at a time; threads live as long as the process, since a sandbox may end with its starter."""


Answers = Callable[[int, dict[str, Any]], None]
"""Answers a question of agent.py, by its number."""


@dataclass
class Attempt:
    """One attempt under way, and its served engine: agent.py fetches the completions from vLLM."""

    number: int
    draw: int
    problem: Problem
    attempt: int
    question: int
    """That waits for an answer."""
    codec: ChatCodec
    policy_id: str
    answers: Answers
    completion: "Future[Completion]" = field(default_factory=Future)

    def submit(self, prompt: Sequence[int], sampling: SamplingParams, seed: int) -> Future[Completion]:
        """Ask for one completion; the result raises RolloutError where vLLM gave none."""
        self.completion = Future()
        self.answers(self.question, {"episode": self.number, "prompt_ids": list(prompt), "seed": seed})
        return self.completion

    def hear(self, question: int, turn: dict[str, Any]) -> None:
        """Take what vLLM sampled."""
        self.question = question
        if turn["stop"] == "lost":
            self.completion.set_exception(RolloutError("vLLM gave up on a completion"))
        else:
            found = Completion(tuple(turn["token_ids"]), tuple(turn["logprobs"]), turn["stop"])
            self.completion.set_result(found)


class Worker:
    """All attempts of one process."""

    def __init__(self, spec: WorkerSpec, out: TextIO, judge: Judge | None) -> None:
        self._spec, self._out = spec, out
        self._codec = HfChatCodec.from_directory(spec.codec_path, spec.config.policy.tool_call_format)
        self._rules = EpisodeRules.of(spec.config, judge)
        self._threads = ThreadPoolExecutor(MAX_THREADS, thread_name_prefix="episode")
        self._lock, self._out_lock = threading.Lock(), threading.Lock()
        self._attempts: dict[int, Attempt] = {}
        self._opened: dict[int, int] = {}
        self._ended: dict[int, list[tuple[Attempt, Trajectory, list[TokenTurn]]]] = {}

    def hear(self, said: dict[str, Any]) -> None:
        """Take one line of agent.py."""
        if "turn" in said:
            self._attempts[said["episode"]].hear(said["id"], said["turn"])
            return
        draw = said["open"]["draw"]
        count = self._opened.get(draw, 0)
        self._opened[draw] = count + 1
        problem = self._spec.problems[said["open"]["problem_id"]]
        place, own = count % self._spec.config.sampling.group_size, (self._codec, self._spec.policy_id, self._answer)
        attempt = Attempt(said["id"], draw, problem, place, said["id"], *own)
        self._attempts[attempt.number] = attempt
        self._threads.submit(self._play, attempt)

    def _play(self, attempt: Attempt) -> None:
        identity = EpisodeIdentity(self._spec.campaign, self._spec.version, "train", self._spec.seed, attempt.draw)
        try:
            (row,), turns = play_attempts(attempt, [(attempt.problem, attempt.attempt)], self._rules, identity)
            self._end(attempt, row, turns)
        except Exception as error:  # whatever it is, the job must not wait for an answer that never comes
            text = str(error) if isinstance(error, EvoTrainerError) else f"{type(error).__name__}: {error}"
            self._answer(attempt.question, {"failed": text})

    def _answer(self, number: int, values: dict[str, Any]) -> None:
        """Answer a question of agent.py in one line, from any thread."""
        with self._out_lock:
            self._out.write(json.dumps({"id": number, **values}) + "\n")
            self._out.flush()

    def _end(self, attempt: Attempt, row: Trajectory, turns: list[TokenTurn]) -> None:
        with self._lock:
            members = self._ended.setdefault(attempt.draw, [])
            members.append((attempt, row, turns))
            if len(members) < self._spec.config.sampling.group_size:
                return
            del self._ended[attempt.draw]
        members.sort(key=lambda member: member[0].attempt)
        settled = settle_group([member[1] for member in members], self._spec.config)
        write_group(self._spec.rows_path, attempt.draw, settled, [turn for member in members for turn in member[2]])
        for (each, *_), end in zip(members, settled.ends, strict=True):
            del self._attempts[each.number]
            self._answer(each.question, {"episode": each.number, "end": end})


def main(spec_path: Path) -> None:
    """Answer until the other side closes."""
    out = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a grader prints must not get between the lines
    spec = WorkerSpec.model_validate_json(spec_path.read_text(encoding="utf-8"))
    record = spec.judge_path / f"{socket.gethostname()}-{os.getpid()}.jsonl"
    merge_record(spec.judge_path / KNOWN_ANSWERS, record)
    with open_judge(spec.config.domain, record) as judge:
        worker = Worker(spec, out, judge)
        for line in sys.stdin:
            worker.hear(json.loads(line))
    os._exit(0)  # threads may still wait for turns that never come


if __name__ == "__main__":
    main(Path(sys.argv[1]))
