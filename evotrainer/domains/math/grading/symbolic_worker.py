"""The process behind symbolic.py: reads [truth, given] a line, writes true or false. Ends with its input."""

import json
import logging
import resource
import sys

from math_verify import parse, verify

MAX_MEMORY_BYTES = 4 * 2**30
"""Of address space: a power tower would take all there is. Beyond it the process ends, which its owner reports."""


def _is_equivalent(truth: str, given: str) -> bool:
    """Plain expressions are read as LaTeX too: math-verify finds them by their delimiters."""
    return verify(parse(_delimited(truth)), parse(_delimited(given)))


def _delimited(text: str) -> str:
    return text if "$" in text else f"${text}$"


def main() -> None:
    """Answer until the input ends."""
    logging.disable(logging.CRITICAL)
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    print("true", flush=True)
    for line in sys.stdin:
        truth, given = json.loads(line)
        print(json.dumps(_is_equivalent(truth, given)), flush=True)


if __name__ == "__main__":
    main()
