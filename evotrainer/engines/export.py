"""A version's policy as one plain Hugging Face directory, for programs that know neither campaigns nor adapters.

The product of an adapter's factors is added to the weights in the dtype of the base. In bfloat16 that rounds: logprobs
of the merged model then differ from those of base and adapter by about what bfloat16 resolves.
"""

import importlib
import os
import shutil
from pathlib import Path

from evotrainer.engines.checkpoint import is_adapter, policy_hash
from evotrainer.errors import PolicyError


def export_policy(path: Path, base: str, out: Path) -> str:
    """Write the policy in `path` to the new folder `out`; return its hash. An adapter is merged into `base`.

    Files get the modes of new ones: those of a campaign are read-only, and safetensors writes for the owner alone.
    Raises PolicyError where there is no policy, `out` exists, or `base` is not what the adapter was trained on.
    """
    if out.exists():
        raise PolicyError(f"{out} exists: name a new folder")
    if not path.is_dir():
        raise PolicyError(f"{path} holds no policy: the version did not train, or its model was not pulled")
    if is_adapter(path):
        policy = importlib.import_module("evotrainer.engines.hf").TransformersPolicy.load(path, base=base)
        policy.merge()
        policy.save(out)
    else:
        shutil.copytree(path, out)
    _give_usual_modes(out)
    return policy_hash(out)


def _give_usual_modes(folder: Path) -> None:
    umask = os.umask(0)
    os.umask(umask)
    for path in (folder, *folder.rglob("*")):
        path.chmod((0o777 if path.is_dir() else 0o666) & ~umask)
