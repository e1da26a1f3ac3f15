"""An interpreter that has a stand-in of OpenRLHF: the same files, processes and agent function, without training."""

import json
import sys
from pathlib import Path
from typing import Any

from evotrainer.training.openrlhf.job import VERSION

STAND_IN = Path(__file__).parent / "openrlhf_stand_in"


def stand_in_python(folder: Path, version: str = VERSION, **control: Any) -> str:
    """Write an interpreter into `folder`; `control` is what the stand-in should do."""
    info = folder / "site" / f"openrlhf-{version}.dist-info"
    info.mkdir(parents=True, exist_ok=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: openrlhf\nVersion: {version}\n")
    python = folder / "python"
    python.write_text(
        f"#!/bin/sh\nexport PYTHONPATH={STAND_IN}:{folder / 'site'}:$PYTHONPATH\n"
        f"export STAND_IN='{json.dumps(control)}'\nexec {sys.executable} \"$@\"\n"
    )
    python.chmod(0o755)
    return str(python)
