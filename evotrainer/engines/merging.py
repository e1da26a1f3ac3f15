"""A version's adapter and its base as one plain Hugging Face directory, for programs that know no adapters.

The product of the adapter's factors is added to the weights in the dtype of the base. In bfloat16 that rounds: logprobs
of the merged model then differ from those of base and adapter by about what bfloat16 resolves.
"""

from pathlib import Path

from evotrainer.engines.checkpoint import is_adapter
from evotrainer.engines.hf import TransformersPolicy
from evotrainer.errors import PolicyError


def merge_adapter(path: Path, base: str, out: Path) -> str:
    """Write the adapter in `path`, merged into the model that `base` names, to the new folder `out`; return its hash.

    Raises PolicyError where `path` holds no adapter, `out` exists, or `base` is another model.
    """
    if not is_adapter(path):
        raise PolicyError(f"{path} is no adapter: there is nothing to merge, copy the directory as it is")
    if out.exists():
        raise PolicyError(f"{out} exists: name a new folder")
    policy = TransformersPolicy.load(path, base=base)
    policy.merge()
    return policy.save(out)
