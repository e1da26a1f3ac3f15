"""Loaded by the workers of a vLLM server (--worker-extension-cls), in the server's own environment.

On a CPU vLLM packs the weights of linear layers into kernels of its own and empties the layers. A reload then writes to
what nothing reads, and reports success. Without packing, a reload reaches the weights that are computed with; a policy
on a CPU costs more time a token, on a GPU nothing changes. The canary checks either way.
"""

import vllm._custom_ops as custom_ops  # pyright: ignore[reportMissingImports]
from vllm.model_executor.layers import utils  # pyright: ignore[reportMissingImports]

custom_ops._supports_onednn = False
utils.check_cpu_sgl_kernel = lambda *_: False


class UnpackedWeights:
    """Adds nothing to a worker: importing this module is what counts."""
