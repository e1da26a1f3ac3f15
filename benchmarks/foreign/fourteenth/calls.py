"""Messages with calls of tools and what tools answered."""

import json


def calls(text: str, name: str, **arguments: object) -> dict:
    """An assistant message that calls one tool."""
    return {"role": "assistant", "content": text, "tool_calls": [{"name": name, "arguments": arguments}]}


def answers(name: str, text: str, ok: bool = True) -> dict:
    """What the tool answered."""
    return {"role": "tool", "tool_name": name, "content": text, "ok": ok}


def openai_calls(turns: list[dict]) -> list[dict]:
    """The same messages in OpenAI's form, with ids and arguments as JSON text."""
    shaped, last = [], ""
    for number, turn in enumerate(turns):
        turn = {k: v for k, v in turn.items() if k not in ("tool_name", "ok")}
        if "tool_calls" in turn:
            last = f"call_{number:02d}{len(turn['content']) % 97:02d}"
            turn["tool_calls"] = [
                {
                    "id": last,
                    "type": "function",
                    "function": {"name": c["name"], "arguments": json.dumps(c["arguments"], ensure_ascii=False)},
                }
                for c in turn["tool_calls"]
            ]
        if turn["role"] == "tool":
            turn["tool_call_id"] = last
        shaped.append(turn)
    return shaped
