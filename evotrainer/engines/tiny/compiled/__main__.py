"""Compile the sampler ahead of its first use on this machine: `python -m evotrainer.engines.tiny.compiled`."""

from evotrainer.engines.base import SamplingParams
from evotrainer.engines.tiny.compiled.sampler import CompiledSampler
from evotrainer.engines.tiny.llama import Llama, LlamaShape

SHAPE = {"vocab_size": 8, "hidden_size": 8, "intermediate_size": 8, "num_hidden_layers": 1, "num_attention_heads": 1}

if __name__ == "__main__":
    sampler = CompiledSampler(Llama(LlamaShape.from_config(SHAPE)), stop_ids=[0])
    sampler.sample([[1]], SamplingParams(1), [0], [None])
