"""What a stage cost, beside the version and outside its DVC outputs, since clocks do not repeat.

A stage writes the tokens it sampled; what runs the stage adds seconds and memory to the same file.
"""

import json
import resource

import psutil

from evotrainer.campaign.layout import VersionFiles


def write_tokens(own: VersionFiles, stage: str, tokens: int) -> None:
    """Begin costs/<stage>.json with the number of sampled tokens."""
    path = own.root / "costs" / f"{stage}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"tokens": tokens}) + "\n")


def cpu_seconds() -> float:
    """Return the processor time of this process, its ended children and the running ones below it."""
    spent = 0.0
    for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
        usage = resource.getrusage(who)
        spent += usage.ru_utime + usage.ru_stime
    for child in psutil.Process().children(recursive=True):
        try:
            times = child.cpu_times()
        except psutil.Error:  # ended meanwhile: it is counted among the ended ones
            continue
        spent += times.user + times.system + times.children_user + times.children_system
    return spent
