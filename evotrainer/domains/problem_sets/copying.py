"""Copy a problem set into a campaign: as it is, or as JSONL with wanted column names and absolute places.

What stages read is then plain: they know no Parquet, no renamed columns, and no folder of clones.
"""

import json
import shutil
from pathlib import Path
from typing import Any

from evotrainer.campaign.documents import replacing, write_atomic
from evotrainer.domains import find_domain
from evotrainer.domains.problem_sets.columns import Reading
from evotrainer.domains.problem_sets.containers import WHOLE, find_files, read_values
from evotrainer.domains.problem_sets.loading import row_values, split_rows


def is_whole(source: Path) -> bool:
    """Tell whether a set has no splits of its own: it is copied to one file."""
    return WHOLE in find_files(source).splits


def copy_problems(source: Path, target: Path, domain: str, reading: Reading) -> None:
    """Write the set at `source` to `target`, a file or a folder of files. Its rows were checked before."""
    files = find_files(source)
    if WHOLE in files.splits:
        _copy(files.splits[WHOLE], target, domain, reading)
        return
    target.mkdir(parents=True, exist_ok=True)
    for split, paths in files.splits.items():
        _copy(paths, target / f"{split}.jsonl", domain, reading)
    if files.is_public:
        _divide(source, target, domain, reading)


def _copy(paths: list[Path], target: Path, domain: str, reading: Reading) -> None:
    rows = [(place, values) for path in paths for place, values in read_values(path)]
    made = [_moved(values, place, domain, reading) for place, values in rows]
    if len(paths) == 1 and paths[0].suffix == ".jsonl" and made == [values for _, values in rows]:
        with replacing(target) as partial:
            shutil.copy(paths[0], partial)
        return
    write_atomic(target, "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in made))


def _moved(values: Any, place: str, domain: str, reading: Reading) -> dict[str, Any]:
    return find_domain(domain).anchored(row_values(values, place, reading), place)


def _divide(source: Path, target: Path, domain: str, reading: Reading) -> None:
    """Take the splits that a public set lacks out of its train split, as loading.py does."""
    divided = split_rows(source, domain, reading)
    train = target / "train.jsonl"
    if not train.is_file() or {path.stem for path in target.iterdir()} >= divided.keys():
        return
    lines = train.read_text(encoding="utf-8").splitlines(keepends=True)
    found = find_domain(domain).parse_row
    by_id = {found(json.loads(line), f"{train}:{number}").row_id: line for number, line in enumerate(lines, start=1)}
    known = {path.stem for path in target.iterdir()} - {"train"}
    for split in divided.keys() - known:
        write_atomic(target / f"{split}.jsonl", "".join(by_id[row.row_id] for row in divided[split]))
