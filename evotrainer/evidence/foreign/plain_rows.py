"""Rows of a structure of their own as plain rows: a prompt or messages, and a value a column.

Most rows are plain already. The others hold a graph of messages (verifiers' traces), a request and a response of the
Responses API (NeMo-Gym), events (agent-lightning), scores by scorer (inspect), or several attempts in lists.
"""

import re
from collections.abc import Mapping
from typing import Any

from evotrainer.evidence.foreign.names import names

Row = dict[str, Any]

_GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
"""inspect's letters: correct, partial, incorrect, no answer."""
_UNREAD = ("events", "events_data", "attachments", "store", "error_retries", "raw_data")
"""Parts of inspect's samples that repeat the messages."""
_SAID = re.compile(
    r"^(messages|completions?|responses?|generations?|outputs?|answers?|code|codes|samples?|ys|resps|predictions?|"
    r"predicted_actions|pred|solutions?|tokens)(_list)?$"
)
_GRADED = re.compile(
    r"^(scores?|rewards?|graded|grades?|infos?|correct|passed|is_correct|pass|acc|advantages?)(_list|s)?$"
)


class PlainRows:
    """Makes rows plain; what rows of the same keys may hold is looked at once."""

    def __init__(self) -> None:
        """Begin without known keys."""
        self._known: dict[tuple[str, ...], tuple[Any, list[str]]] = {}

    def of(self, row: Row) -> list[Row]:
        """Return the attempts of a row as plain rows; none where its values have not the form that its keys promise."""
        keys = tuple(row)
        if keys not in self._known:
            known = next((make for needed, make in _STRUCTURES if needed.issubset(keys)), None)
            self._known[keys] = known, [name for name in keys if _SAID.match(name) or name in names()["attempt_lists"]]
        make, lists = self._known[keys]
        if make is None:
            return (_several(row, lists) or [row]) if lists else [row]
        try:
            return make(row)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            return []


def _several(row: Row, names: list[str]) -> list[Row]:
    """Return the attempts of a row that holds several under one of these names."""
    lists = [
        name for name in names if type(value := row[name]) is list and len(value) > 1 and not _is_message(value[0])
    ]
    return (_by_list(row, lists) or _by_attempt(row, lists)) if lists else []


def _by_list(row: Row, names: list[str]) -> list[Row]:
    """Return one row for each of several replies that stand in one list, with their grades in another."""
    said = [name for name in names if _SAID.match(name) and not _are_messages(row[name])]
    nested = [name for name, value in row.items() if type(value) is list] if said else []
    for name in said:
        length = len(row[name])
        grades = [one for one in nested if _GRADED.match(one) and len(row[one]) == length and one != name]
        graded = next(
            (v for k, v in row.items() if isinstance(v, dict) and _is_of_texts(v, row[name]) and k != name), None
        )
        if not grades and graded is None:
            continue
        same = [one for one in nested if len(row[one]) == length]
        rest = {key: value for key, value in row.items() if key not in same and value is not graded}
        found = []
        for place in range(length):
            parts = {_singular(one): row[one][place] for one in same}
            if graded is not None and "reward" not in row:
                parts["reward"] = graded.get(row[name][place])
            grade = next((row[one][place] for one in grades if isinstance(row[one][place], dict)), {})
            grade = {("reward" if key == "r" else key): value for key, value in grade.items()}
            found.append({**rest, "attempt": place, **parts, **grade})
        return found
    return []


def _is_message(value: Any) -> bool:
    return type(value) is dict and "role" in value


def _are_messages(value: list[Any]) -> bool:
    return all(isinstance(one, dict) for one in value)


def _is_of_texts(grades: Mapping[str, Any], texts: list[Any]) -> bool:
    return bool(grades) and all(isinstance(one, str) and one in grades for one in texts)


def _singular(name: str) -> str:
    name = {"ys": "completion"}.get(name.removesuffix("_list"), name.removesuffix("_list"))
    return name.removesuffix("s") if name in ("scores", "rewards", "advantages") else name


def _by_attempt(row: Row, nested: list[str]) -> list[Row]:
    """Return one row for each of several attempts that stand as objects below their problem."""
    for name in nested:
        is_attempts = name in names()["attempt_lists"] and _are_messages(row[name])
        if is_attempts and not any("role" in one for one in row[name]):
            rest = {key: value for key, value in row.items() if key != name}
            return [{**rest, "attempt": place, **one} for place, one in enumerate(row[name])]
    return []


def _episode(row: Row) -> list[Row]:
    """Return the traces of an episode of verifiers, each beside what the episode says."""
    around = {key: row[key] for key in ("env", "group", "run") if row.get(key)}
    traces = [one for one in row["traces"] or [] if isinstance(one, dict)]
    failed = {"id": row.get("id"), "task": row["task"], "nodes": [], "rewards": {}, "errors": row.get("errors")}
    return [made for one in traces or [failed] for made in _trace({**around, **one})]


def _trace(row: Row) -> list[Row]:
    """Return a trace as its last path of messages, as verifiers' `Trace.messages` does."""
    nodes, task, run = _listed(row.get("nodes")), _object(row.get("task")), _object(row.get("run"))
    data, work, env = _object(task.get("data")), _object(run.get("work")), _object(row.get("env")).get("id")
    number = data.get("idx")
    name = str(task.get("key") or "")[:16] if number is None else str(number)
    rewards = {key: one for key, one in _object(row.get("rewards")).items() if isinstance(one, dict)}
    weighted = [one.get("score", 0) * (1 if one.get("weight") is None else one["weight"]) for one in rewards.values()]
    errors, path = _listed(row.get("errors")), _last_path(nodes)
    asked = data.get("prompt")
    start, agent = _object(row.get("timing")).get("start"), _object(_object(row.get("timing")).get("agent"))
    calls = [one for one in _listed(row.get("calls")) if not one.get("error")]
    advantages = [value for node in path for value in node.get("advantages") or []]
    is_evaluation = "eval" in (run.get("type"), work.get("type"))
    made = {
        "trajectory_id": row.get("id"),
        "problem_id": f"{env}/{name}" if env else name,
        "group_id": _object(row.get("group")).get("id"),
        "messages": [_sampled(node) for node in path] or [{"role": "user", "content": asked or ""}],
        "reward": sum(weighted) if weighted else None,
        "reward_terms": {key: one.get("score") for key, one in rewards.items()},
        "metrics": row.get("metrics"),
        "ground_truth": data.get("answer"),
        "advantage": sum(advantages) / len(advantages) if advantages else None,
        "error": errors[-1].get("type", "error") if errors and not row.get("ok") else None,
        "stop_reason": row.get("stop_condition"),
        "is_truncated": calls[-1].get("finish_reason") == "length" if calls else None,
        "num_tokens": row.get("num_output_tokens"),
        "step": run.get("step") if work.get("step") is None else work["step"],
        "split": "validation" if is_evaluation else "train",
        "env_name": env,
        "model": _object(_object(row.get("agent")).get("config")).get("model"),
        "started_at": start,
        "duration_seconds": agent["end"] - (agent.get("start") or 0) if agent.get("end") else None,
    }
    return [{key: value for key, value in made.items() if value is not None}]


def _last_path(nodes: list[Row]) -> list[Row]:
    """Return the messages from the root to the last leaf; a parent stands before its child."""
    path: list[Row] = []
    number: Any = len(nodes) - 1 if nodes else None
    while isinstance(number, int) and 0 <= number < len(nodes) and (not path or nodes[number] is not path[-1]):
        path.append(nodes[number])
        parent = nodes[number].get("parent")
        number = parent if isinstance(parent, int) and parent < number else None
    return path[::-1]


def _sampled(node: Row) -> Row:
    message, logprobs = _object(node.get("message")), node.get("logprobs")
    if node.get("sampled") and logprobs:
        message = {**message, "num_tokens": len(logprobs), "mean_logprob": sum(logprobs) / len(logprobs)}
    return message


def _gym(row: Row) -> list[Row]:
    """Return a rollout of NeMo-Gym: what was asked, the items of the response, and what verified it."""
    asked, response = _object(row["responses_create_params"]), _object(row["response"])
    items = _listed(response.get("output"))
    if len(items) == 1 and isinstance(items[0], list):  # a list for each sequence that was trained on
        items, given = items[0], []
    else:
        given = asked.get("input")
    instructions = [{"role": "system", "content": asked["instructions"]}] if asked.get("instructions") else []
    given = [{"role": "user", "content": given}] if isinstance(given, str) else _listed(given)
    rest = {key: value for key, value in row.items() if key not in ("responses_create_params", "response")}
    kept = {key: response.get(key) for key in ("model", "error", "usage", "metrics", "group_id", "reward")}
    cut = _object(response.get("incomplete_details")).get("reason")
    logprobs = [value for item in items if isinstance(item, dict) for value in item.get("generation_log_probs") or []]
    made = {
        **{key: value for key, value in kept.items() if value is not None and key not in rest},
        **rest,
        "prompt": [*instructions, *given],
        "completion": items,
        "stop_reason": cut or response.get("status"),
        **({"generation_logprobs": logprobs} if logprobs else {}),
    }
    if not given:
        first = next((place for place, item in enumerate(items) if item.get("role") == "assistant"), len(items))
        made |= {"prompt": items[:first], "completion": items[first:]}
    return [made]


def _archive(row: Row) -> list[Row]:
    """Return a rollout of agent-lightning's archive: its last request with the reply, and the reward that followed."""
    rollout, made = _object(row["rollout"]), {}
    for event in _listed(row["events"]):
        data = _object(event.get("data"))
        if event.get("event_type") == "model_request":
            made["prompt"] = _object(data.get("request")).get("messages")
            made["completion"] = _streamed(data.get("response"))
        elif event.get("event_type") == "reward":
            made |= {("reward" if key == "value" else key): value for key, value in data.items()}
    given = _object(rollout.get("input"))
    plain = {key: value for key, value in rollout.items() if not isinstance(value, dict | list)}
    return [{**plain, **{key: value for key, value in given.items() if key not in made}, **made}]


def _streamed(response: Any) -> Any:
    """Return the text of a reply, whole or in chunks as a server streams it."""
    if not isinstance(response, list):
        return response
    deltas = [_object(one.get("delta")) for chunk in response for one in _listed(_object(chunk).get("choices"))]
    return "".join(str(delta.get("content") or "") for delta in deltas)


def _sample(row: Row) -> list[Row]:
    """Return a sample of inspect: its first score is the reward, each scorer's a part of it."""
    scores = _object(row.get("scores"))
    values = {name: value for scorer, score in scores.items() for name, value in _scored(scorer, score).items()}
    output, limit = _object(row.get("output")), _object(row.get("limit"))
    usage = [_object(one).get("output_tokens") for one in _object(row.get("model_usage")).values()]
    choices = _listed(output.get("choices")) or [{}]
    error = _object(row.get("error")).get("message") or row.get("error")
    answers = [_object(score).get("answer") for score in scores.values()]
    read = {*_UNREAD, "scores", "output", "input", "id", "epoch", "target"}
    first = next(iter(values.values()), None)
    made = {
        **{key: value for key, value in row.items() if key not in read},
        "problem_id": row.get("id"),
        "attempt": row.get("epoch"),
        "messages": [_with_tool(one) for one in _listed(row.get("messages"))],
        "ground_truth": row.get("target"),
        "extracted_answer": next((one for one in answers if one is not None), None),
        "reward": first,
        "correct": first if first is not None and 0 <= first <= 1 else None,
        "reward_terms": values,
        "explanation": next((_object(one).get("explanation") for one in scores.values()), None),
        "error": error or (None if scores else "not scored"),
        "stop_reason": limit.get("type") or _object(choices[0]).get("stop_reason"),
        "num_tokens": sum(one or 0 for one in usage) if usage else None,
        "split": row.get("split") or "validation",
        "model": output.get("model"),
    }
    return [made]


def _scored(scorer: str, score: Any) -> dict[str, float]:
    value = score.get("value") if isinstance(score, dict) else score
    parts = {f"{scorer}/{name}": one for name, one in value.items()} if isinstance(value, dict) else {scorer: value}
    graded = {name: _GRADES.get(one) if isinstance(one, str) else one for name, one in parts.items()}
    return {name: float(one) for name, one in graded.items() if isinstance(one, int | float)}


def _with_tool(message: Any) -> Any:
    """Return a message of inspect whose answer of a tool says whether the call failed."""
    if not isinstance(message, dict) or message.get("role") != "tool":
        return message
    failed = message.get("error")
    said = message.get("content") or _object(failed).get("message") or ""
    return {**message, "content": said, "tool_name": message.get("function"), "ok": message.get("ok", failed is None)}


def _dump(row: Row) -> list[Row]:
    """Return training data of NeMo-RL: texts of user and assistant in turn, numbers by token, 0 in the prompt."""
    texts, rest = row["content"], {key: value for key, value in row.items() if key != "content"}
    texts = texts[0] if isinstance(texts, list) and len(texts) == 1 and isinstance(texts[0], list) else texts
    texts = [texts] if isinstance(texts, str | dict) else _listed(texts)
    roles = ("user", "assistant")
    said = [one if isinstance(one, dict) else {"role": roles[i % 2], "content": one} for i, one in enumerate(texts)]
    sampled, mask = _one(row.get("generation_logprobs")), _one(row.get("token_loss_mask"))
    for name in ("generation_logprobs", "prev_logprobs"):
        if isinstance(values := _one(row.get(name)), list) and isinstance(sampled, list):
            rest[name] = [value for value, mark in zip(values, sampled, strict=False) if mark != 0.0]
    if isinstance(by_token := _one(row.get("advantages")), list):
        is_in_loss = mask if isinstance(mask, list) else [1] * len(by_token)
        kept = [value for value, is_in in zip(by_token, is_in_loss, strict=False) if is_in]
        rest["advantages"] = sum(kept) / len(kept) if kept else None
    rest["split"] = row.get("split") or ("train" if "input_lengths" in row else "validation")
    return [{**rest, "messages": said}]


def _one(value: Any) -> Any:
    """Return what stands in a list of one."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _object(value: Any) -> Row:
    return value if isinstance(value, dict) else {}


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


_STRUCTURES = (
    (frozenset({"traces", "task"}), _episode),
    (frozenset({"nodes", "rewards", "task"}), _trace),
    (frozenset({"responses_create_params", "response"}), _gym),
    (frozenset({"rollout", "events"}), _archive),
    (frozenset({"id", "epoch", "scores"}), _sample),
    (frozenset({"content", "rewards"}), _dump),
)
"""Keys that only rows of such a structure have."""
