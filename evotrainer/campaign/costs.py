"""What a stage cost, in costs/<stage>.json beside its subject and outside its DVC outputs, since clocks do not repeat.

A stage writes the tokens it sampled or asked a model for; what runs the stage adds seconds and memory to the same
file. Planning a generation is charged to its first version, planning a revision or the certificate to these.
"""

import resource
from collections.abc import Mapping

import psutil

from evotrainer.campaign.atomic import write_json_atomic
from evotrainer.campaign.budget.ledger import read_ledger, spent
from evotrainer.campaign.documents import read_numbers
from evotrainer.campaign.layout import CampaignFiles, RevisionFiles, VersionFiles
from evotrainer.campaign.subjects import Subject


def write_tokens(own: VersionFiles | RevisionFiles, stage: str, tokens: int, **others: float) -> None:
    """Begin the cost file of a stage with its number of tokens, and other costs by name, like dollars."""
    write_json_atomic(own.costs / f"{stage}.json", {"tokens": tokens, **others})


def spent_dollars(files: CampaignFiles, besides: VersionFiles | RevisionFiles, accelerator_price: float = 0.0) -> float:
    """Return the dollars that the campaign spent, on answers and accelerators, one subject left out."""
    return spent([one for one in read_ledger(files, accelerator_price) if one.subject != besides.root.name]).dollars


def note_cost(files: CampaignFiles, subject: Subject, stage: str, measured: Mapping[str, float]) -> None:
    """Add what a stage was measured to cost to what it wrote itself; nothing for a subject without a folder."""
    folder = files.root / subject.folder
    if subject.folder and folder.is_dir():
        path = folder / "costs" / f"{stage}.json"
        write_json_atomic(path, {**read_numbers(path), **measured}, indent=2)


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
