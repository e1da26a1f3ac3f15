"""How systems write attempts down, one row an attempt."""

import json

from benchmarks.foreign.fiftyfirst.policy import Attempt, Message, count_tokens

Row = dict


def _asked(attempt: Attempt) -> list[Message]:
    system = [{"role": "system", "content": attempt.problem.system}] if attempt.problem.system else []
    return [*system, {"role": "user", "content": attempt.problem.prompt}]


def _chatml(messages: list[Message]) -> str:
    return "".join(f"<|im_start|>{m['role']}\n{m['content']}<|im_end|>\n" for m in messages)


def ours(attempt: Attempt) -> Row:
    """The columns of docs/evidence.md."""
    problem = attempt.problem
    return {
        "trajectory_id": f"{attempt.group}-{attempt.number}",
        "split": attempt.split,
        "step": attempt.step,
        "problem_id": problem.id,
        "group_id": attempt.group,
        "attempt": attempt.number,
        "messages": [*_asked(attempt), *attempt.turns],
        "reward": attempt.reward,
        "reward_terms": attempt.terms,
        "correct": attempt.correct,
        "advantage": attempt.advantage,
        "stop_reason": attempt.stop,
        "num_turns": sum(turn["role"] == "assistant" for turn in attempt.turns),
        "num_tokens": attempt.tokens,
        "is_truncated": attempt.stop == "max_tokens",
        "extra": {"family": problem.family} | attempt.columns,
    }


def verl(attempt: Attempt) -> Row:
    """The writer of `trainer.rollout_data_dir`, with the reward function's extras."""
    return {
        "input": _chatml(_asked(attempt)) + "<|im_start|>assistant\n",
        "output": attempt.text,
        "gts": attempt.problem.gold,
        "score": attempt.reward,
        "step": attempt.step,
        "data_source": attempt.problem.family,
        **attempt.columns,
    }


def trl(attempt: Attempt) -> Row:
    """Logged completions of TRL, one column a reward function."""
    terms = attempt.terms or {"accuracy_reward": attempt.correct}
    return {
        "step": attempt.step,
        "prompt": attempt.problem.prompt,
        "completion": attempt.text,
        **terms,
        "advantage": attempt.advantage,
        **attempt.columns,
    }


def openrlhf(attempt: Attempt) -> Row:
    """JSONL with input, output and reward."""
    return {
        "input": attempt.problem.prompt,
        "output": attempt.text,
        "reward": attempt.reward,
        "label": attempt.problem.gold,
        "global_step": attempt.step,
        "response_length": attempt.tokens,
        **attempt.columns,
    }


def prime(attempt: Attempt) -> Row:
    """Saved rollouts of prime-rl over a verifiers environment."""
    turns = [_openai_turn(turn, f"call_{index}") for index, turn in enumerate(attempt.turns)]
    return {
        "example_id": attempt.problem.id,
        "env_name": attempt.problem.family or "env",
        "task": attempt.problem.family or "env",
        "step": attempt.step,
        "prompt": _asked(attempt),
        "completion": turns,
        "answer": attempt.problem.gold,
        "reward": attempt.reward,
        "advantage": attempt.advantage,
        "info": {"seq": attempt.number},
        "metrics": attempt.terms or {"correct_answer": attempt.correct},
        "completion_len": attempt.tokens,
        "is_truncated": attempt.stop == "max_tokens",
        **attempt.columns,
    }


def nemo(attempt: Attempt) -> Row:
    """NeMo-RL's batch log: texts in turn, no roles."""
    asked = (
        attempt.problem.prompt
        if not attempt.problem.system
        else f"{attempt.problem.system}\n\n{attempt.problem.prompt}"
    )
    return {
        "idx": attempt.place * 64 + attempt.number,
        "step": attempt.step,
        "content": [asked, *[turn["content"] for turn in attempt.turns]],
        "rewards": attempt.reward,
        "advantages": attempt.advantage,
        "input_lengths": count_tokens({"content": asked}) + attempt.tokens,
        **attempt.columns,
    }


def slime(attempt: Attempt) -> Row:
    """Samples as slime dumps them."""
    return {
        "rollout_id": attempt.step,
        "step": attempt.step,
        "group_index": attempt.place,
        "index": attempt.number,
        "prompt": _chatml(_asked(attempt)) + "<|im_start|>assistant\n",
        "response": attempt.text,
        "response_length": attempt.tokens,
        "label": attempt.problem.gold,
        "reward": attempt.reward,
        "status": "truncated" if attempt.stop == "max_tokens" else "completed",
        "metadata": {"source": attempt.problem.family},
        **attempt.columns,
    }


def openai(attempt: Attempt) -> Row:
    """Messages of OpenAI's form with a reward beside."""
    turns = [_openai_turn(turn, f"call_{index}") for index, turn in enumerate(attempt.turns)]
    return {
        "messages": [*_asked(attempt), *turns],
        "reward": attempt.reward,
        "correct": attempt.correct,
        "advantage": attempt.advantage,
        "step": attempt.step,
        "problem_id": attempt.problem.id,
        "attempt": attempt.number,
        "completion_tokens": attempt.tokens,
        "finish_reason": attempt.stop,
        **attempt.columns,
    }


def plain(attempt: Attempt) -> Row:
    """JSON lines of a script of one's own."""
    return {
        "step": attempt.step,
        "problem_id": attempt.problem.id,
        "sample": attempt.number,
        "question": attempt.problem.prompt,
        "response": attempt.text,
        "reward": attempt.reward,
        "advantage": attempt.advantage,
        "n_tokens": attempt.tokens,
        **attempt.columns,
    }


def _openai_turn(turn: Message, name: str) -> Message:
    kept = {key: value for key, value in turn.items() if key not in ("tool_calls", "tool_name")}
    if turn.get("tool_calls"):
        kept["tool_calls"] = [
            {
                "id": name,
                "type": "function",
                "function": {"name": call["name"], "arguments": json.dumps(call["arguments"])},
            }
            for call in turn["tool_calls"]
        ]
    if turn["role"] == "tool":
        kept["tool_call_id"] = f"call_{int(name.split('_')[1]) - 1}"
        kept["name"] = turn.get("tool_name", "tool")
    return kept
