"""A version's policy as one plain Hugging Face directory, for programs that know neither campaigns nor adapters.

The product of an adapter's factors is added to the weights in the dtype of the base. In bfloat16 that rounds: logprobs
of the merged model then differ from those of base and adapter by about what bfloat16 resolves.
"""

import importlib
import shutil
from pathlib import Path

from evotrainer.engines.checkpoint import is_adapter, policy_hash
from evotrainer.errors import PolicyError


def export_policy(path: Path, base: str, out: Path) -> str:
    """Write the policy in `path` to the new folder `out`; return its hash. An adapter is merged into `base`.

    Raises PolicyError where there is no policy, `out` exists, or `base` is not what the adapter was trained on.
    """
    if out.exists():
        raise PolicyError(f"{out} exists: name a new folder")
    if not path.is_dir():
        raise PolicyError(f"{path} holds no policy: the version did not train, or its model was not pulled")
    if not is_adapter(path):
        shutil.copytree(path, out)
        return policy_hash(out)
    policy = importlib.import_module("evotrainer.engines.hf").TransformersPolicy.load(path, base=base)
    policy.merge()
    return policy.save(out)
