"""A lineage of trials: the kept ones, the chain to the best, and where its records lie.

trials/NAME/trials.json    records of a run over a script, or of an imported table; no campaign
"""

import difflib
import re
from collections.abc import Sequence
from pathlib import Path

from evotrainer.campaign.documents import Document, in_declared_order
from evotrainer.errors import LineageError
from evotrainer.records import Better, Trial, TrialSet

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


def sign_of(better: Better) -> int:
    """Return 1 where higher scores are better, else -1: a change times this is a gain."""
    return 1 if better == "higher" else -1


def leaderboard(trials: Sequence[Trial], better: Better) -> list[Trial]:
    """Return the kept trials with the baseline, the best first; of equal scores the earlier one."""
    kept = [trial for trial in trials if trial.label in ("keep", "baseline") and trial.score is not None]
    return sorted(kept, key=lambda trial: -sign_of(better) * (trial.score or 0.0))


def best_chain(trials: Sequence[Trial], better: Better) -> list[str]:
    """Return the ids from a root to the best kept trial; empty where nothing was kept or scored."""
    parents = {trial.trial_id: trial.parents[0] for trial in trials if trial.parents}
    chain = [trial.trial_id for trial in leaderboard(trials, better)[:1]]
    while chain and chain[-1] in parents and parents[chain[-1]] not in chain:
        chain.append(parents[chain[-1]])
    return chain[::-1]


def stored_trials(root: Path, name: str) -> Document[TrialSet]:
    """Return the document of a lineage below the checkout `root`; raises LineageError for a name that is no folder."""
    if _NAME.fullmatch(name) is None:
        raise LineageError(f"'{name[:80]}' cannot name a lineage: use lower-case letters, digits, - and _, at most 64")
    return Document(root / "trials" / name / "trials.json", TrialSet, in_declared_order(1))


def find_trials(root: Path, name: str) -> TrialSet:
    """Return a stored lineage; raises LineageError that lists what there is."""
    document = stored_trials(root, name)
    if not document.exists():
        known = sorted(path.parent.name for path in (root / "trials").glob("*/trials.json"))
        near = difflib.get_close_matches(name, known, n=3, cutoff=0.0)
        hint = f"nearest: {', '.join(near)}" if near else "none is imported yet: evotrainer import-trials FILE.tsv"
        raise LineageError(f"no imported lineage {name} ({hint})")
    return document.read()
