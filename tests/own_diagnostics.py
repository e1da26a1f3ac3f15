"""Diagnostics of a person's own, as modules of a folder."""

from pathlib import Path
from textwrap import indent

HEAD = """
import types
from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl

@hookimpl
def diagnose(context: Context) -> Diagnosis:
"""


def write_diagnostics(root: Path, folder: str = "mine", **bodies: str) -> Path:
    """Write a module with one diagnostic for each body of `diagnose`; return the root."""
    (root / folder).mkdir(parents=True, exist_ok=True)
    for name, body in bodies.items():
        (root / folder / f"{name}.py").write_text(f"{HEAD}{indent(body, '    ')}\n")
    return root
