"""One row of each system, as its code writes it."""

from typing import Any

CHAT = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "1+1?"}]
SAID = [{"role": "assistant", "content": "2"}]
VERL = {
    "input": "user\n1+1?\nassistant\n",
    "output": "2",
    "gts": "2",
    "score": 1.0,
    "step": 5,
    "acc": True,
    "pred": "2",
}
TRL = {
    "step": 10,
    "prompt": CHAT,
    "completion": SAID,
    "accuracy_reward": 1.0,
    "format_reward": 0.5,
    "solution": "2",
    "advantage": 0.7,
}
VERIFIERS = {
    "example_id": 3,
    "task": "gsm8k",
    "prompt": CHAT,
    "completion": SAID,
    "answer": "2",
    "reward": 1.2,
    "error": None,
    "timing": {"total_ms": 1500.0},
    "is_completed": True,
    "is_truncated": False,
    "stop_condition": "max_turns_reached",
    "metrics": {"correct_answer": 1.0, "format": 0.2},
    "correct_answer": 1.0,
    "format": 0.2,
    "token_usage": {"input_tokens": 10.0, "output_tokens": 3.0},
}
PRIME_RL = {**{key: VERIFIERS[key] for key in VERIFIERS if key != "task"}, "env_name": "gsm8k", "advantage": -0.2}
NEMO_RL = {
    "content": [["1+1?", "2"]],
    "rewards": [1.0],
    "generation_logprobs": [[0.0, 0.0, -0.5, -0.7]],
    "prev_logprobs": [[0.0, 0.0, -0.6, -0.7]],
    "input_lengths": [4],
    "idx": 0,
}
OPENRLHF = {"input": "1+1?", "output": "2", "reward": 0.5}
PLAIN = {
    "question": "1+1?",
    "response": "2",
    "score": 0.5,
    "format_score": 0.1,
    "step": 3,
    "gold": 2,
    "is_correct": True,
}
OPENAI = {"messages": [*CHAT, *SAID], "reward": 1.0, "success": True, "model": "m"}
INSPECT = {
    "id": "q1",
    "epoch": 2,
    "input": "1+1?",
    "target": "2",
    "messages": [
        *CHAT,
        {
            "role": "assistant",
            "content": [{"type": "reasoning", "reasoning": "hm"}, {"type": "text", "text": "look"}],
            "tool_calls": [{"id": "a", "function": "bash", "arguments": {"cmd": "ls"}, "type": "function"}],
        },
        {
            "role": "tool",
            "content": "no such file",
            "tool_call_id": "a",
            "function": "bash",
            "error": {"type": "unknown"},
        },
        *SAID,
    ],
    "output": {"model": "m", "choices": [{"message": SAID[0], "stop_reason": "stop"}]},
    "scores": {"match": {"value": "C", "answer": "2", "explanation": "2"}},
    "metadata": {"level": 1},
    "total_time": 2.5,
}
DUMPS: dict[str, dict[str, Any]] = {
    "verl": VERL,
    "trl": TRL,
    "verifiers": VERIFIERS,
    "prime_rl": PRIME_RL,
    "openrlhf": OPENRLHF,
    "openai": OPENAI,
    "plain": PLAIN,
    "nemo_rl": NEMO_RL,
    "inspect": INSPECT,
}
