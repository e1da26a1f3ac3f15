"""What OpenRLHF calls for each episode. It is copied into a run's folder, and runs in OpenRLHF's own environment.

It imports nothing of this program: episodes are played and graded by worker.py, a child process of another
interpreter, because their sandbox forks and a process that holds a GPU must not. OpenRLHF's own MultiTurnAgentExecutor
keeps the turns; this file gives it token ids in place of text, so that nothing is tokenised again, and stands between
it and vLLM, so that a turn has its own limit, seed and stop tokens.

    execute ─► worker: open ─► prompt ids ─► vLLM ─► sampled ids ─► worker: turn ─► new ids ... ─► end: reward, in_loss

Of OpenRLHF 0.11.2 it must respect: max_tokens is overwritten before every turn and sampling parameters are shared by
all samples (we copy them); a step has no stop token (we set them); every sample needs the same names in extra_logs.
"""

import asyncio
import copy
import itertools
import json
import os
from functools import partial
from pathlib import Path
from typing import Any

from openrlhf.utils.agent import AgentInstanceBase, MultiTurnAgentExecutor  # pyright: ignore[reportMissingImports]

SPEC = json.loads(Path(__file__).with_name("agent.json").read_text(encoding="utf-8"))
MAX_LINE_BYTES = 2**28
LOGS = ("episode_reward", "correct", "masked", "errors", "turns", "sampled_tokens")
"""Names in extra_logs, the same for every sample."""


class Worker:
    """The process that plays the episodes of this vLLM engine; started with the first of them."""

    def __init__(self):
        self._process: Any = None
        self._starting = asyncio.Lock()
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self._numbers = itertools.count()
        self._gone = ""

    async def ask(self, question):
        """Return the worker's answer; raises RuntimeError where it failed or is gone."""
        async with self._starting:
            if self._process is None:
                self._process = await self._start()
        if self._gone:
            raise RuntimeError(self._gone)
        number = next(self._numbers)
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        self._process.stdin.write((json.dumps({"id": number, **question}) + "\n").encode())
        await self._process.stdin.drain()
        found = await answer
        if "failed" in found:
            raise RuntimeError(f"the episode cannot be played: {found['failed']}")
        return found

    async def _start(self):
        process = await asyncio.create_subprocess_exec(
            *SPEC["worker"],
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            cwd=SPEC["root"],
            env={**os.environ, **SPEC["environment"]},
            limit=MAX_LINE_BYTES,
        )
        self._reader = asyncio.create_task(self._read(process))
        return process

    async def _read(self, process: Any):
        while line := await process.stdout.readline():
            found = json.loads(line)
            self._answers.pop(found["id"]).set_result(found)
        self._gone = f"the worker process ended with status {await process.wait()}, see the log above"
        for answer in self._answers.values():
            answer.set_result({"failed": self._gone})
        self._answers.clear()


class Episode:
    """One attempt: what the worker said last, and what vLLM sampled last."""

    def __init__(self, worker):
        self._worker = worker
        self.ids: list[int] = []
        self.new_ids: list[int] = []
        self.end: Any = None
        self.sampled: Any = None

    async def open(self, label):
        """Begin the attempt that a label of the prompts names."""
        await self._take({"open": json.loads(label)})

    async def turn(self):
        """Report what vLLM sampled; return the ids that follow it, none where the episode is over."""
        before = [*self.ids, *self.sampled["token_ids"]]
        await self._take({"turn": self.sampled, "episode": self.number})
        if self.end is not None:
            return []
        if self.ids[: len(before)] != before:
            raise RuntimeError("the next prompt does not continue the sampled ids")
        return self.ids[len(before) :]

    async def cut(self):
        """End an episode whose context is full."""
        self.sampled = {"token_ids": [], "logprobs": [], "stop": "max_tokens"}
        await self.turn()

    async def _take(self, question):
        found = await self._worker.ask(question)
        self.number, self.end = found["episode"], found.get("end")
        if self.end is None:
            self.ids, self.seed = found["prompt_ids"], found["seed"]


class AgentInstance(AgentInstanceBase):
    """OpenRLHF's view of one episode."""

    def __init__(self, episode):
        self._episode = episode

    async def reset(self, states, **kwargs):
        """Open the episode: _Ready knows its first ids."""
        return {"observation": ""}

    async def step(self, states, **kwargs):
        """Return what follows the sampled turn."""
        self._episode.new_ids = await self._episode.turn()
        done = self._episode.end is not None
        reward = self._episode.end["reward"] if done else 0.0
        return {
            "rewards": _Number(reward),
            "scores": self._episode.end["score"] if done else 0.0,
            "environment_feedback": "",
            "done": done,
            "extra_logs": dict.fromkeys(LOGS, 0.0),
        }


class _Number(float):
    """A number with the one method of a tensor that OpenRLHF calls."""

    def item(self):
        return float(self)


class _Ids(list):
    """Token ids with the one method of a tensor that OpenRLHF calls."""

    def tolist(self):
        return list(self)


class _Ready:
    """Stands for the tokenizer: what it is asked to tokenise has its ids already."""

    def __init__(self, episode):
        self._episode = episode

    def __call__(self, text, **kwargs):
        return {"input_ids": [_Ids(self._episode.new_ids)]}


class _Sampler:
    """Stands between OpenRLHF and vLLM: each turn has its own limit, seed and stop tokens, and is written down."""

    def __init__(self, episode, engine):
        self._episode, self._engine = episode, engine

    async def generate(self, prompt_ids, params, multi_modal_data=None):
        params.max_tokens = min(params.max_tokens, SPEC["max_turn_tokens"])
        params.min_tokens, params.seed = 0, self._episode.seed
        params.stop_token_ids = SPEC["stop_ids"]
        params.logprobs = params.logprobs or 1
        answer = await self._engine.generate(prompt_ids, params, multi_modal_data=multi_modal_data)
        if answer is None or answer.outputs[0].finish_reason not in ("stop", "length"):
            self._episode.sampled = {"token_ids": [], "logprobs": [], "stop": "lost"}
            return _lost()
        output = answer.outputs[0]
        logprobs = [entry[token].logprob for token, entry in zip(output.token_ids, output.logprobs, strict=True)]
        stop = "max_tokens" if output.finish_reason == "length" else "stop"
        self._episode.sampled = {"token_ids": list(output.token_ids), "logprobs": logprobs, "stop": stop}
        return answer


def _lost():
    """Return an answer of vLLM without tokens."""
    output = type("Output", (), {"token_ids": [], "text": "", "finish_reason": "abort", "logprobs": []})()
    return type("Answer", (), {"outputs": [output]})()


class _Turns(MultiTurnAgentExecutor):
    """OpenRLHF's loop over the turns of one episode."""

    def __init__(self, episode):
        super().__init__(AgentInstance)
        self.agent_instance_cls = partial(AgentInstance, episode)


class AgentExecutor(MultiTurnAgentExecutor):
    """What OpenRLHF loads."""

    def __init__(self):
        super().__init__(AgentInstance)
        self._worker = Worker()

    async def execute(self, prompt, label, sampling_params, max_length, hf_tokenizer, llm_engine, images=None):
        """Play one attempt at the problem of `label`; its reward comes when all attempts of the group are over."""
        episode = Episode(self._worker)
        await episode.open(label)
        episode.new_ids = episode.ids
        params = copy.deepcopy(sampling_params)
        params.max_tokens = None
        if episode.end is None and len(episode.ids) < max_length:
            sampler = _Sampler(episode, llm_engine)
            found = await _Turns(episode).execute(prompt, label, params, max_length, _Ready(episode), sampler)
        else:
            found = _unplayed(prompt, label, episode.ids[:max_length], params)
        if episode.end is None:
            await episode.cut()
        return _settled(found, episode.end, images)


def _unplayed(prompt, label, ids, params):
    """Return the answer of an episode without any turn."""
    logprobs = [0.0] * len(ids) if params.logprobs is not None else None
    ids = ids or [SPEC["stop_ids"][0]]
    return {
        "prompt": prompt,
        "label": label,
        "mm_train_inputs": None,
        "observation_tokens": ids,
        "action_ranges": [],
        "rollout_log_probs": logprobs if logprobs is None else [0.0] * len(ids),
        "truncated": False,
    }


def _settled(found, end, images):
    """Return OpenRLHF's answer with our reward; of what is masked no token is in the loss."""
    settled = {"images": images, "reward": end["reward"], "scores": end["score"]}
    if not end["in_loss"]:
        settled["action_ranges"] = []
    return {**found, **settled, "extra_logs": {name: float(end["logs"][name]) for name in LOGS}}
