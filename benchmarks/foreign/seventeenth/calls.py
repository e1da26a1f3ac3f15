"""Messages that call tools, and their answers."""

import json


def call(name: str, arguments: dict, text: str = "") -> dict:
    """A call in the columns of the evidence."""
    return {"role": "assistant", "content": text, "tool_calls": [{"name": name, "arguments": arguments}]}


def told(name: str, content: str, ok: bool = True) -> dict:
    """What a tool answered."""
    return {"role": "tool", "tool_name": name, "content": content, "ok": ok}


def in_openai_form(messages: list[dict], salt: str) -> list[dict]:
    """The same messages with ids of calls and arguments as JSON text."""
    out, last = [], ""
    for place, message in enumerate(messages):
        if message.get("tool_calls"):
            last = f"call_{salt}_{place}"
            made = [
                {
                    "id": last,
                    "type": "function",
                    "function": {"name": c["name"], "arguments": json.dumps(c["arguments"], ensure_ascii=False)},
                }
                for c in message["tool_calls"]
            ]
            out.append({**message, "tool_calls": made})
        elif message["role"] == "tool":
            out.append({"role": "tool", "tool_call_id": last, "content": message["content"]})
        else:
            out.append(dict(message))
    return out
