"""Tries as rows: our columns, and those of other trainers."""

import json
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyfirst.rollouts import Try


def _prompt(one: Try) -> list[dict]:
    system = [{"role": "system", "content": one.task.system}] if one.task.system else []
    return [*system, {"role": "user", "content": one.extra.get("shown_prompt", one.task.prompt)}]


def _tokens(rng: Random, one: Try) -> int:
    said = [m for m in one.reply.messages if m["role"] == "assistant"]
    letters = sum(len(m["content"]) + len(json.dumps(m.get("tool_calls", ""))) - 2 for m in said)
    return max(1, int(letters / rng.uniform(3.2, 4.3))) + rng.randint(1, 4)


def _further(one: Try) -> dict:
    return {name: value for name, value in one.extra.items() if name != "shown_prompt"}


def own(rng: Random, tries: list[Try], run: str, domain: str, **more: object) -> list[Row]:
    """The columns of docs/evidence.md."""
    rows = []
    for one in tries:
        turns = sum(m["role"] == "assistant" for m in one.reply.messages)
        row = {
            "trajectory_id": f"{run}-{one.split[0]}{one.step:03d}-{one.task.id}-{one.slot}",
            "version": run,
            "split": one.split,
            "step": one.step,
            "domain": domain,
            "problem_id": one.task.id,
            "group_id": f"{one.split}-{one.step}-{one.task.id}",
            "attempt": one.slot,
            "messages": _prompt(one) + one.reply.messages,
            "reward": one.reward,
            "reward_terms": one.terms,
            "correct": None if one.error else float(one.right),
            "advantage": one.advantage if one.split == "train" else None,
            "in_loss": one.in_loss,
            "stop_reason": "max_tokens" if one.stop == "length" else one.stop,
            "error": one.error,
            "num_turns": turns,
            "num_tokens": _tokens(rng, one),
            "is_truncated": one.stop == "length",
            "extra": {"family": one.task.family or domain, "answer": one.reply.answer, **more, **_further(one)},
        }
        if one.policy:
            row["policy_id"] = one.policy
        rows.append(row)
    return rows


def verl(tries: list[Try], markup: str = "qwen", measure: str = "acc") -> list[Row]:
    """verl's dumps of rollouts: decoded text."""
    rows = []
    for one in tries:
        parts = [(m["role"], m["content"]) for m in _prompt(one)]
        if markup == "qwen":
            head = "".join(f"<|im_start|>{role}\n{words}<|im_end|>\n" for role, words in parts)
            head += "<|im_start|>assistant\n"
        else:
            head = "".join(f"{role}\n\n{words}" for role, words in parts) + "assistant\n\n"
        row = {"input": head, "output": one.text, "gts": one.task.gold, "score": one.reward, "step": one.step + 1}
        row |= {measure: float(one.right), "pred": one.reply.answer, "uid": f"{one.step:02d}-{one.task.id}"}
        if one.advantage is not None:
            row["advantage"] = one.advantage
        rows.append(row | _further(one))
    return rows


def trl(tries: list[Try], name: str = "accuracy_reward") -> list[Row]:
    """TRL's log of completions."""
    rows = []
    for one in tries:
        row = {"step": one.step + 1, "prompt": _prompt(one), "completion": one.reply.messages}
        terms = {f"{term}_reward": value for term, value in one.terms.items()} if len(one.terms) > 1 else {}
        rows.append(row | (terms or {name: one.reward}) | {"advantage": one.advantage} | _further(one))
    return rows


def openrlhf(tries: list[Try]) -> list[Row]:
    """OpenRLHF's batch inference with a reward."""
    rows = []
    for one in tries:
        head = "\n\n".join(f"{m['role'].capitalize()}: {m['content']}" for m in _prompt(one)) + "\n\nAssistant: "
        row = {"input": head, "output": one.text, "reward": one.reward, "step": one.step}
        rows.append(
            row | {"advantage": one.advantage, "label": one.task.gold, "finish_reason": one.stop} | _further(one)
        )
    return rows


def openai(tries: list[Try], measure: str = "") -> list[Row]:
    """Messages as OpenAI writes them, with the reward beside."""
    rows = []
    for number, one in enumerate(tries):
        row = {"messages": _prompt(one) + _openai_calls(one.reply.messages, number), "reward": one.reward}
        row |= {"step": one.step, "task_id": one.task.id, "split": one.split}
        row |= {"advantage": one.advantage, "finish_reason": one.stop}
        rows.append(row | ({measure: float(one.right)} if measure else {}) | _further(one))
    return rows


def _openai_calls(messages: list[dict], number: int) -> list[dict]:
    done: list[dict] = []
    for place, message in enumerate(messages):
        weight = {"weight": message["weight"]} if "weight" in message else {}
        name = f"call_{number:04d}{place:02d}"
        if message.get("tool_calls"):
            made = message["tool_calls"][0]
            function = {"name": made["name"], "arguments": json.dumps(made["arguments"], ensure_ascii=False)}
            calls = [{"id": name, "type": "function", "function": function}]
            done.append({"role": "assistant", "content": message["content"], "tool_calls": calls} | weight)
        elif message["role"] == "tool":
            last = f"call_{number:04d}{place - 1:02d}"
            done.append({"role": "tool", "tool_call_id": last, "content": message["content"]} | weight)
        else:
            done.append({"role": message["role"], "content": message["content"]} | weight)
    return done


def prime_rl(tries: list[Try], env: str) -> list[Row]:
    """Saved rollouts of prime-rl, in the rows of verifiers."""
    rows = []
    for one in tries:
        row = {"example_id": one.task.id, "env_name": env, "task": env, "prompt": _prompt(one)}
        row |= {"completion": one.reply.messages, "answer": one.task.gold, "reward": one.reward}
        row |= {"advantage": one.advantage, "step": one.step, "is_truncated": one.stop == "length"}
        rows.append(
            row | {"metrics": {"correct_answer": float(one.right)}, "info": {"parsed": one.reply.answer}} | one.extra
        )
    return rows
