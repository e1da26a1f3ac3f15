"""Trial lineages on disk: trials/NAME/ in the checkout. Imported ones are written once and never changed.

They are no campaigns: nothing can be run, reproduced or promoted in them, and no version of ours descends from them.
So they lie in a folder of their own, without write permission, beside campaigns/ and like it outside of git.

    trials/NAME/trials.json   the records     trials/NAME/source.tsv   the file as it came

A run over a script writes its records to the same place, one trial after the other (domains/script/search.py).
"""

import difflib
import re
import shutil
from pathlib import Path

from evotrainer.campaign.atomic import new_folder
from evotrainer.campaign.documents import Document, in_declared_order
from evotrainer.errors import LineageError
from evotrainer.records import TrialSet

FOLDER = "trials"
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


def default_name(path: Path) -> str:
    """Return the name of a lineage whose importer gives none: the file's own."""
    return re.sub(r"[^a-z0-9_-]+", "-", path.stem.lower()).strip("-_")[:64]


def check_name(name: str) -> str:
    """Return a name that may be a folder's; raises LineageError for any other."""
    if _NAME.fullmatch(name) is None:
        raise LineageError(f"'{name[:80]}' cannot name a lineage: use lower-case letters, digits, - and _, at most 64")
    return name


def stored_trials(root: Path, name: str) -> Document[TrialSet]:
    """Return the document of a lineage below the checkout `root`."""
    return Document(root / FOLDER / name / "trials.json", TrialSet, in_declared_order(1))


def save_trials(root: Path, found: TrialSet, source: Path) -> bool:
    """Write a lineage; return False where the same one is there already.

    Raises:
        LineageError: the name cannot be used, or another file was imported under it.

    """
    document = stored_trials(root, check_name(found.name))
    if document.exists():
        if document.read() == found:
            return False
        raise LineageError(f"trials/{found.name} holds another import: choose another name with --name")
    document.path.parent.parent.mkdir(exist_ok=True)
    with new_folder(document.path.parent) as partial:
        (partial / document.path.name).write_text(document.encode(found), encoding="utf-8")
        shutil.copyfile(source, partial / "source.tsv")
        for path in partial.iterdir():
            path.chmod(0o444)
    return True


def find_trials(root: Path, name: str) -> TrialSet:
    """Return an imported lineage; raises LineageError that lists what there is."""
    document = stored_trials(root, check_name(name))
    if not document.exists():
        known = sorted(path.parent.name for path in (root / FOLDER).glob("*/trials.json"))
        near = difflib.get_close_matches(name, known, n=3, cutoff=0.0)
        hint = f"nearest: {', '.join(near)}" if near else "none is imported yet: evotrainer import-trials FILE.tsv"
        raise LineageError(f"no imported lineage {name} ({hint})")
    return document.read()
