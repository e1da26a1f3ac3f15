"""The release of OpenRLHF that is driven, as its wheel has it, and its modules with empty ones for what needs a GPU.

The wheel holds a top-level package `tests`, so `make openrlhf-release` unpacks it into a folder of its own, and nobody
installs it.
"""

import sys
import types
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / ".engines" / "openrlhf"


class Anything:
    """Stands for classes that are only named."""

    def __init__(self, *values: Any, **named: Any) -> None:
        pass

    def __class_getitem__(cls, item: Any) -> type:
        return cls


def release() -> Path | None:
    """Return the folder of the unpacked wheel's packages; None where it is not there."""
    return next(FOLDER.glob("openrlhf-*.data/purelib"), None)


@contextmanager
def modules_of(folder: Path) -> Iterator[None]:
    """Let `openrlhf.*` be imported from the folder; packages have no __init__, so that no GPU is asked for."""
    before = {name: module for name, module in sys.modules.items() if _is_stubbed(name)}
    for name in ("openrlhf", "openrlhf.utils", "openrlhf.models", "openrlhf.trainer", "openrlhf.trainer.ppo_utils"):
        made = types.ModuleType(name)
        made.__path__ = [str(folder / name.replace(".", "/"))]
        sys.modules[name] = made
    stubs: dict[str, dict[str, Any]] = {
        "ray": {"remote": lambda *a, **k: Anything, "get": None},
        "deepspeed": {},
        "vllm": {"SamplingParams": Anything},
        "openrlhf.trainer.ray": {},
        "openrlhf.trainer.ray.launcher": {"RayActorGroup": Anything},
        "openrlhf.trainer.ray.vllm_engine": {"batch_vllm_engine_call": None},
    }
    for name, values in stubs.items():
        made = types.ModuleType(name)
        vars(made).update(values)
        sys.modules[name] = made
    try:
        yield
    finally:
        for name in [name for name in sys.modules if _is_stubbed(name)]:
            del sys.modules[name]
        sys.modules.update(before)


def _is_stubbed(name: str) -> bool:
    return name.partition(".")[0] in ("openrlhf", "ray", "deepspeed", "vllm")
