"""Whether OpenRLHF's own environment is there: its interpreter, its version, what it needs, its cluster.

OpenRLHF, vLLM and this program cannot be installed side by side (their requirements exclude each other), so training
runs in an environment of its own, and `engine.openrlhf.python` names its interpreter.
"""

import json
import subprocess

import httpx

from evotrainer.config import OpenRLHFConfig

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
_PROBE_SECONDS, _ADDRESS_SECONDS = 60.0, 10.0


def missing(engine: OpenRLHFConfig) -> list[str]:
    """Return one sentence for each thing that a job would lack, with its remedy; none where it can start."""
    if not engine.python:
        return [f"engine.openrlhf.python names no interpreter: install with {_INSTALL} and set it to ENV/bin/python"]
    try:
        versions = _installed(engine.python)
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else type(error).__name__
        return [
            f"engine.openrlhf.python={engine.python!r} is no interpreter that runs here ({reason}): set it to "
            f"ENV/bin/python of an environment made with {_INSTALL}"
        ]
    return [*_wrong_versions(engine, versions), *_unreachable(engine.ray_address)]


def _installed(python: str) -> dict[str, str]:
    """Return {package: version} of what an interpreter has of NEEDED."""
    command = [python, "-c", _PROBE]
    done = subprocess.run(command, capture_output=True, text=True, timeout=_PROBE_SECONDS, check=True, cwd="/")
    return json.loads(done.stdout)


def _wrong_versions(engine: OpenRLHFConfig, versions: dict[str, str]) -> list[str]:
    optional = set() if engine.attention.startswith("flash") or engine.packing else {"flash_attn"}
    absent = [name for name in NEEDED if name not in versions and name not in optional]
    found = versions.get("openrlhf", VERSION)
    if "openrlhf" in absent:
        lack = "has no openrlhf"
    elif found != VERSION:
        lack = f"has openrlhf {found}, this program knows {VERSION}"
    else:
        lack = f"lacks {', '.join(absent)}" if absent else ""
    return [f"{engine.python} {lack}: ENV/bin/pip install 'openrlhf[vllm]=={VERSION}'"] if lack else []


def _unreachable(address: str) -> list[str]:
    if not address:
        return []
    try:
        answer = httpx.get(f"{address.rstrip('/')}/api/version", timeout=_ADDRESS_SECONDS)
        if answer.status_code in (401, 403):  # a cluster that asks for a token: `ray job submit` has its own way
            return []
        answer.raise_for_status().json()
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
        return [f"no Ray job server answers at engine.openrlhf.ray_address={address!r} ({error}): start the cluster"]
    return []
