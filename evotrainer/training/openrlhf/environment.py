"""Whether OpenRLHF's own environment is there: its interpreter, its version, what it needs, its cluster.

OpenRLHF, vLLM and this program cannot be installed side by side (their requirements exclude each other), so training
runs in an environment of its own, and `engine.openrlhf.python` names its interpreter.
"""

import json
import subprocess
import urllib.error
import urllib.request
from pathlib import Path

from evotrainer.config import OpenRLHFConfig
from evotrainer.errors import ConfigError

VERSION = "0.11.2"
"""The release whose command line and agent function are known here; others differ."""
NEEDED = ("openrlhf", "vllm", "ray", "torch", "deepspeed", "flash_attn", "tensorboard")
_PROBE = f"""
import importlib.metadata as metadata, json
found = {{}}
for name in {NEEDED!r}:
    try:
        found[name] = metadata.version(name)
    except metadata.PackageNotFoundError:
        pass
print(json.dumps(found))
"""
_INSTALL = f"python3.12 -m venv ENV && ENV/bin/pip install 'openrlhf[vllm]=={VERSION}'"
_PROBE_SECONDS = 60.0
_ADDRESS_SECONDS = 10.0


def missing(engine: OpenRLHFConfig) -> list[str]:
    """Return one sentence for each thing that a job would lack, with its remedy; none where it can start."""
    if not engine.python:
        return [f"engine.openrlhf.python names no interpreter: install with {_INSTALL} and set it to ENV/bin/python"]
    try:
        versions = installed(engine.python)
    except ConfigError as error:
        return [str(error)]
    return [*_wrong_versions(engine, versions), *_unreachable(engine.ray_address)]


def installed(python: str) -> dict[str, str]:
    """Return {package: version} of what an interpreter has of NEEDED; raises ConfigError where it cannot be run."""
    try:
        done = subprocess.run(
            [python, "-c", _PROBE], capture_output=True, text=True, timeout=_PROBE_SECONDS, check=True, cwd="/"
        )
        return json.loads(done.stdout)
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else type(error).__name__
        raise ConfigError(
            f"engine.openrlhf.python={python!r} is no interpreter that runs here ({reason}): set it to ENV/bin/python "
            f"of an environment made with {_INSTALL}"
        ) from None


def _wrong_versions(engine: OpenRLHFConfig, versions: dict[str, str]) -> list[str]:
    place = str(Path(engine.python))
    found = versions.get("openrlhf")
    if found is None:
        return [f"{place} has no openrlhf: ENV/bin/pip install 'openrlhf[vllm]=={VERSION}'"]
    if found != VERSION:
        return [f"{place} has openrlhf {found}, this program knows {VERSION}: pip install 'openrlhf[vllm]=={VERSION}'"]
    optional = set() if engine.attention.startswith("flash") or engine.packing else {"flash_attn"}
    absent = [name for name in NEEDED if name not in versions and name not in optional]
    return [f"{place} lacks {', '.join(absent)}: ENV/bin/pip install 'openrlhf[vllm]=={VERSION}'"] if absent else []


def _unreachable(address: str) -> list[str]:
    if not address:
        return []
    try:
        with urllib.request.urlopen(f"{address.rstrip('/')}/api/version", timeout=_ADDRESS_SECONDS) as answer:
            json.load(answer)
    except urllib.error.HTTPError as error:
        if error.code in (401, 403):  # a cluster that asks for a token: `ray job submit` has its own way to give one
            return []
        return [f"engine.openrlhf.ray_address={address!r} answers {error.code}: name a Ray job server"]
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        return [f"no Ray job server answers at engine.openrlhf.ray_address={address!r} ({reason}): start the cluster"]
    return []
