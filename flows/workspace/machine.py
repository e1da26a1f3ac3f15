"""What a version was made on: the installed packages and the machine, as a receipt names them."""

import importlib.metadata
import os
import platform
import re
from pathlib import Path

import psutil

GPUS = Path("/proc/driver/nvidia/gpus")
PROCESSORS = Path("/proc/cpuinfo")
_FIELD = re.compile(r"^(Name|Version):(.*)$", re.MULTILINE)


def packages() -> dict[str, str]:
    """Return the version of Python and of every installed package, by name."""
    found = dict(_name_and_version(dist) for dist in importlib.metadata.distributions())
    return {"python": platform.python_version(), **{name: found[name] for name in sorted(found) if name}}


def hardware() -> dict[str, str]:
    """Return processor, memory, accelerators and system of this machine."""
    return {
        "processor": _value(PROCESSORS, "model name") or platform.processor() or platform.machine(),
        "cores": str(os.cpu_count()),
        "memory": f"{psutil.virtual_memory().total / 1e9:.0f} GB",
        "accelerators": ", ".join(_accelerators()) or "none",
        "system": platform.platform(),
    }


def _name_and_version(distribution: importlib.metadata.Distribution) -> tuple[str, str]:
    """Return both as the head of its metadata says; `distribution.metadata` would parse the whole file."""
    text = distribution.read_text("METADATA") or distribution.read_text("PKG-INFO") or ""
    head = dict(_FIELD.findall(text.partition("\n\n")[0]))
    return head.get("Name", "").strip().lower(), head.get("Version", "").strip()


def _accelerators() -> list[str]:
    return [_value(path, "Model") or path.parent.name for path in sorted(GPUS.glob("*/information"))]


def _value(path: Path, name: str) -> str:
    """Return the first value of `name` in a file of `name: value` lines; nothing where there is none."""
    lines = path.read_text(errors="replace").splitlines() if path.is_file() else []
    pairs = [line.partition(":") for line in lines]
    return next((value.strip() for key, _, value in pairs if key.strip() == name), "")
