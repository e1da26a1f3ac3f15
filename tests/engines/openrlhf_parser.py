"""OpenRLHF's own parser, run on a box that has neither Ray nor a GPU: it needs the standard library alone.

The parser stands in the `__main__` part of openrlhf.cli.train_ppo_ray, so the module is run as a program in a process
of its own, with empty modules in the place of what it imports before.

    make openrlhf-flags     records them in tests/golden/
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

RECORD = Path(__file__).parents[1] / "golden" / "openrlhf_0.11.2_flags.json"

_STUBS = """
import argparse, json, runpy, sys, types

class Parsed(Exception):
    pass

def nested(value):
    return {k: nested(v) for k, v in vars(value).items()} if isinstance(value, types.SimpleNamespace) else value

def module(name, **values):
    made = types.ModuleType(name)
    made.__path__ = []
    vars(made).update(values)
    sys.modules[name] = made

class Anything:
    def __init__(self, *a, **k): pass

def strategy(args):
    print(json.dumps(nested(args), default=str))
    raise SystemExit(0)

for name in ("ray", "ray.util", "openrlhf.trainer", "openrlhf.trainer.ray.ppo_critic", "openrlhf.utils"):
    module(name)
sys.modules["ray"].is_initialized = lambda: True
module("ray.util.placement_group", placement_group=Anything)
module("openrlhf.trainer.ray", create_vllm_engines=Anything)
names = ("RayActorGroup", "ReferenceModelActor", "RewardModelActor")
module("openrlhf.trainer.ray.launcher", **dict.fromkeys(names, Anything))
module("openrlhf.trainer.ray.ppo_actor", PolicyModelActor=Anything)
module("openrlhf.trainer.ray.ppo_critic", CriticModelActor=Anything)
import importlib.util, pathlib
root = pathlib.Path(sys.path[0])
sys.modules["openrlhf.utils"].__path__ = [str(root / "openrlhf" / "utils")]
sys.modules["openrlhf.utils"].get_strategy = strategy
"""
_PARSE = _STUBS + 'sys.argv[0] = "train_ppo_ray"\nrunpy.run_module("openrlhf.cli.train_ppo_ray", run_name="__main__")\n'
_DESCRIBE = (
    _STUBS
    + """
def describe(self, *a, **k):
    found = {}
    for action in self._actions:
        for option in action.option_strings:
            if option.startswith("--") and option != "--help":
                found[option] = {
                    "type": getattr(action.type, "__name__", None), "nargs": action.nargs,
                    "choices": list(action.choices) if action.choices else None, "default": action.default,
                }
    print(json.dumps(found, default=str))
    raise SystemExit(0)

argparse.ArgumentParser.parse_args = describe
sys.argv = ["train_ppo_ray"]
runpy.run_module("openrlhf.cli.train_ppo_ray", run_name="__main__")
"""
)


def parse(folder: Path, words: list[str]) -> dict[str, Any]:
    """Return what OpenRLHF makes of a command line, after its own checks; raises ValueError with its last line."""
    return _run(folder, _PARSE, words)


def describe(folder: Path) -> dict[str, Any]:
    """Return {flag: type, number of values, choices, default}."""
    found = _run(folder, _DESCRIBE, [])
    del found["--logger.wandb.run_name"]["default"]  # the time of day
    return found


def _run(folder: Path, script: str, words: list[str]) -> dict[str, Any]:
    code = f"import sys; sys.path.insert(0, {str(folder)!r})\n{script}"
    done = subprocess.run([sys.executable, "-S", "-c", code, *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise ValueError((done.stderr.strip() or done.stdout.strip()).splitlines()[-1])
    return json.loads(done.stdout.splitlines()[-1])


if __name__ == "__main__":
    RECORD.write_text(json.dumps(describe(Path(sys.argv[1])), indent=1, sort_keys=True) + "\n")
