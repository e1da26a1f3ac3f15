"""Numbers that describe one attempt, the same in every domain: what was written, in which order, and what it repeats.

The text of this module is part of every file of reward.correction, so it imports only modules that compute, and reads
only what code of an intervention is given (algorithm/code/rows.py). A name that an attempt lacks has the value 0.

    has:P  num:P  at:P      a piece of text occurs, how often, where first (share of the text)
    pair:P Q                two pieces follow each other
    first:P  last:P  line:P the first and last piece, and how often a line begins with it
    skeleton:S              the text's beginning as kinds of characters: letters a, digits 0, others as they are
    tool:T  tools:T>U       calls of a tool, and of two tools in a row
    argument:T.K=S          the shape of an argument: its type and the length of its text
    length: repeat: share: overlap: turn:    sizes, repetition, kinds of characters, what was copied, turns

A piece is a word, a digit or another character. Legend: row is what `reward` is given (trajectory_row).
"""

import math
import re
from collections import Counter
from itertools import pairwise

_PIECE = re.compile(r"[^\W\d]+|\d|[^\w\s]")
_MAX_PIECES = 2000
_MAX_NAME = 24


def features(row):
    """Return {name: number} of one attempt; names not in it have the value 0."""
    replies = [message for message in row["messages"] if message["role"] == "assistant"]
    text = "\n".join(message["content"] for message in replies)
    pieces = _PIECE.findall(text)[:_MAX_PIECES]
    found = {
        "length:tokens": float(row["num_tokens"]),
        "length:chars": float(len(text)),
        "length:pieces": float(len(pieces)),
        "turn:count": float(row["num_turns"]),
        "turn:truncated": float(bool(row["is_truncated"])),
    }
    found.update(_of_pieces(pieces))
    found.update(_of_lines(text))
    found.update(_of_characters(text))
    found.update(_overlaps(row, replies, pieces))
    found.update(_of_tools(row["messages"]))
    return {name: value for name, value in found.items() if value and math.isfinite(value)}


def _of_pieces(pieces):
    counts, total = Counter(pieces), max(1, len(pieces))
    found = {}
    for piece, count in counts.items():
        name = piece[:_MAX_NAME]
        found["has:" + name] = 1.0
        found["num:" + name] = float(count)
        found["at:" + name] = (1 + pieces.index(piece)) / total
    pairs = Counter(pairwise(pieces))
    for (left, right), count in pairs.items():
        found["pair:" + left[:_MAX_NAME] + " " + right[:_MAX_NAME]] = float(count)
    if pieces:
        found["first:" + pieces[0][:_MAX_NAME]] = found["last:" + pieces[-1][:_MAX_NAME]] = 1.0
        found["repeat:pieces"] = 1 - len(counts) / total
        found["repeat:pairs"] = 1 - len(pairs) / max(1, total - 1)
        found["repeat:most"] = max(counts.values()) / total
        found["repeat:run"] = float(_longest_run(pieces))
    return found


def _of_lines(text):
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    if not lines:
        return {}
    starts = Counter(match.group() for match in map(_PIECE.match, lines) if match)
    found = {"line:" + piece[:_MAX_NAME]: float(count) for piece, count in starts.items()}
    found["length:lines"] = float(len(lines))
    found["length:longest line"] = float(max(map(len, lines)))
    found["length:last line"] = float(len(lines[-1]))
    found["repeat:lines"] = 1 - len(set(lines)) / len(lines)
    return found


def _of_characters(text):
    total = max(1, len(text))
    kinds = {"digits": str.isdigit, "letters": str.isalpha, "capitals": str.isupper, "blanks": str.isspace}
    found = {"share:" + name: sum(map(is_kind, text)) / total for name, is_kind in kinds.items()}
    found["share:marks"] = sum(not (one.isalnum() or one.isspace()) for one in text) / total
    found["length:longest number"] = float(max(map(len, re.findall(r"\d+", text)), default=0))
    found["length:longest word"] = float(max(map(len, re.findall(r"[^\W\d]+", text)), default=0))
    found["num:numbers"] = float(len(re.findall(r"\d+", text)))
    skeleton = re.sub(r"\d+", "0", re.sub(r"[^\W\d]+", "a", text.strip()[:64]))
    found["skeleton:" + skeleton[:_MAX_NAME]] = 1.0
    return found


def _overlaps(row, replies, pieces):
    read = [message["content"] for message in row["messages"] if message["role"] == "tool"]
    written = [
        str(value) for message in replies for call in message["tool_calls"] for value in call["arguments"].values()
    ]
    asked, used = set(_PIECE.findall(row["prompt"])), set(pieces)
    return {
        "overlap:prompt said": len(asked & used) / max(1, len(asked)),
        "overlap:said from prompt": len(asked & used) / max(1, len(used)),
        "overlap:written from read": _shared(" ".join(written), " ".join(read)),
        "overlap:said from read": _shared(" ".join(pieces), " ".join(read)),
    }


def _shared(text, source):
    own = set(_PIECE.findall(text)[:_MAX_PIECES])
    return len(own & set(_PIECE.findall(source)[:_MAX_PIECES])) / max(1, len(own)) if source else 0.0


def _of_tools(messages):
    calls = [call for message in messages if message["role"] == "assistant" for call in message["tool_calls"]]
    if not calls:
        return {}
    names = [call["name"][:_MAX_NAME] for call in calls]
    found = {"tool:" + name: float(count) for name, count in Counter(names).items()}
    for (left, right), count in Counter(pairwise(names)).items():
        found["tools:" + left + ">" + right] = float(count)
    for call in calls:
        for key, value in call["arguments"].items():
            shape = type(value).__name__ + str(min(12, len(str(value)).bit_length()))
            found["argument:" + call["name"][:_MAX_NAME] + "." + key[:_MAX_NAME] + "=" + shape] = 1.0
    keys = [call["name"] + str(sorted(call["arguments"].items())) for call in calls]
    found["length:calls"] = float(len(calls))
    found["repeat:calls"] = 1 - len(set(keys)) / len(keys)
    found["turn:failed calls"] = float(sum(message["ok"] is False for message in messages if message["role"] == "tool"))
    return found


def _longest_run(pieces):
    best = run = 1
    for left, right in pairwise(pieces):
        run = run + 1 if left == right else 1
        best = max(best, run)
    return best
