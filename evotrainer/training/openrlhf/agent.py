"""What OpenRLHF calls for each episode. It is copied into a run's folder, and runs in OpenRLHF's own environment.

It imports nothing of this program: episodes are played and graded by worker.py, a child process of another
interpreter, because their sandbox forks and a process that holds a GPU must not. Turns pass as token ids, so that
nothing is tokenised again.

    execute ─► worker: open ─► prompt ids ─► vLLM ─► sampled ids ─► worker: turn ─► new ids ... ─► end: reward, in_loss

Of OpenRLHF 0.11.2 it must respect: sampling parameters are shared by all samples and have no stop tokens; every sample
needs the same names in extra_logs.
"""

import asyncio
import copy
import itertools
import json
import os
from pathlib import Path
from typing import Any

from openrlhf.utils.agent import AgentExecutorBase  # pyright: ignore[reportMissingImports]

SPEC = json.loads(Path(__file__).with_name("agent.json").read_text(encoding="utf-8"))
MAX_LINE_BYTES = 2**28
FULL = {"token_ids": [], "logprobs": [], "stop": "max_tokens"}
"""The turn of an episode whose context is full."""


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


class AgentExecutor(AgentExecutorBase):
    """What OpenRLHF loads."""

    def __init__(self):
        self._worker = Worker()

    async def execute(self, prompt, label, sampling_params, max_length, hf_tokenizer, llm_engine, images=None):
        """Play one attempt at the problem of `label`; its reward comes when all attempts of the group are over."""
        found = await self._worker.ask({"open": json.loads(label)})
        ids, ranges, truncated = found.get("prompt_ids", []), [], False
        logprobs = [0.0] * len(ids)
        while "end" not in found:
            turn, said = FULL, ids
            if len(ids) < max_length:
                turn = await _sample(llm_engine, sampling_params, ids, max_length - len(ids), found["seed"])
                said = [*ids, *turn["token_ids"]]
                ranges.append((len(ids), len(said)))
                truncated = turn["stop"] == "max_tokens"
            found = await self._worker.ask({"turn": turn, "episode": found["episode"]})
            ids = found.get("prompt_ids", said)
            if ids[: len(said)] != said:
                raise RuntimeError("the next prompt does not continue the sampled ids")
            logprobs += [*turn["logprobs"], *[0.0] * (len(ids) - len(said))]
        end = found["end"]
        return {
            "prompt": prompt,
            "label": label,
            "images": images,
            "mm_train_inputs": None,
            "reward": end["reward"],
            "scores": end["score"],
            "observation_tokens": ids or SPEC["stop_ids"][:1],  # of an attempt that was lost before its prompt
            "action_ranges": ranges if end["in_loss"] else [],  # of what is masked no token is in the loss
            "rollout_log_probs": None if sampling_params.logprobs is None else logprobs or [0.0],
            "truncated": truncated,
            "extra_logs": end["logs"],
        }


async def _sample(engine, shared, ids, room, seed):
    """Return what vLLM samples after `ids`, a turn with its own limit, seed and stop tokens."""
    params = copy.deepcopy(shared)
    params.max_tokens, params.min_tokens = min(room, SPEC["max_turn_tokens"]), 0
    params.seed, params.stop_token_ids = seed, SPEC["stop_ids"]
    params.logprobs = params.logprobs or 1
    answer = await engine.generate(ids, params, multi_modal_data=None)
    if answer is None or answer.outputs[0].finish_reason not in ("stop", "length"):
        return {"token_ids": [], "logprobs": [], "stop": "lost"}
    output = answer.outputs[0]
    logprobs = [entry[token].logprob for token, entry in zip(output.token_ids, output.logprobs, strict=True)]
    stop = "max_tokens" if output.finish_reason == "length" else "stop"
    return {"token_ids": list(output.token_ids), "logprobs": logprobs, "stop": stop}
