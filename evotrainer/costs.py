"""What a stage cost, beside the version and outside its DVC outputs, since clocks do not repeat.

A stage writes the tokens it sampled; what runs the stage adds seconds and memory to the same file.
"""

import json

from evotrainer.layout import VersionFiles


def write_tokens(own: VersionFiles, stage: str, tokens: int) -> None:
    """Begin costs/<stage>.json with the number of sampled tokens."""
    path = own.root / "costs" / f"{stage}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"tokens": tokens}) + "\n")
