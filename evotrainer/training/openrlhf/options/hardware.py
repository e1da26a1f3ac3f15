"""Rows of the engine, the policy and the budget: where and how long OpenRLHF trains."""

from evotrainer.config import Config
from evotrainer.training.openrlhf.options.option import Flag, Note, Option, one, switch
from evotrainer.training.openrlhf.options.recipe import train_batch

_MISMATCH = {"clip_token": ("token", "clip"), "mask_token": ("token", "mask"), "mask_sequence": ("seq", "mask")}


def num_gpus(config: Config) -> int:
    """Return the GPUs that train."""
    return config.engine.openrlhf.num_nodes * config.engine.openrlhf.gpus_per_node


def num_engines(config: Config) -> int:
    """Return the number of vLLM engines."""
    engine = config.engine.openrlhf
    return engine.num_engines or num_gpus(config) // engine.tensor_parallel


def micro_batch(config: Config) -> int:
    """Return the trajectories of one pass of a GPU without packing: they must divide its share of a step."""
    share = max(1, train_batch(config) // num_gpus(config))
    return max(size for size in range(1, share + 1) if share % size == 0 and _fits(config, size))


def _fits(config: Config, size: int) -> bool:
    return size <= max(1, config.engine.micro_batch_trajectories)


def _is_packed(config: Config) -> bool:
    return config.engine.openrlhf.packing


def _is_async(config: Config) -> bool:
    return config.engine.openrlhf.async_queue > 0


def _is_colocated(config: Config) -> bool:
    return config.engine.openrlhf.colocate


def _level(config: Config) -> str | None:
    return _MISMATCH.get(config.engine.openrlhf.mismatch, (None, None))[0]


def _mode(config: Config) -> str | None:
    return _MISMATCH.get(config.engine.openrlhf.mismatch, (None, None))[1]


GPUS = (
    Option(
        ("engine.openrlhf.num_nodes", "engine.openrlhf.gpus_per_node"),
        "flags",
        "the policy and its reference on the same GPUs",
        (
            one("--actor.num_nodes", lambda c: c.engine.openrlhf.num_nodes),
            one("--actor.num_gpus_per_node", lambda c: c.engine.openrlhf.gpus_per_node),
            one("--ref.num_nodes", lambda c: c.engine.openrlhf.num_nodes),
            one("--ref.num_gpus_per_node", lambda c: c.engine.openrlhf.gpus_per_node),
        ),
        refused=(
            Note(
                lambda c: train_batch(c) % num_gpus(c) != 0,
                "engine.openrlhf.num_nodes times gpus_per_node",
                "it must divide the trajectories of an optimiser step: sampling.problems_per_step times "
                "sampling.group_size by algorithm.num_minibatches",
            ),
        ),
    ),
    Option(
        ("engine.openrlhf.num_engines", "engine.openrlhf.tensor_parallel", "engine.openrlhf.gpu_memory_share"),
        "flags",
        "vLLM",
        (
            one("--vllm.num_engines", num_engines),
            one("--vllm.tensor_parallel_size", lambda c: c.engine.openrlhf.tensor_parallel),
            one("--vllm.gpu_memory_utilization", lambda c: c.engine.openrlhf.gpu_memory_share),
            one("--vllm.sync_backend", lambda c: "nccl"),
        ),
        refused=(
            Note(
                lambda c: num_engines(c) == 0,
                "engine.openrlhf.tensor_parallel",
                "there are fewer GPUs than one engine takes: lower it, or set engine.openrlhf.num_engines",
            ),
        ),
    ),
    Option(
        ("engine.openrlhf.colocate",),
        "flags",
        "vLLM and the trainer sleep in turns",
        (
            switch("--train.colocate_all", _is_colocated),
            switch("--vllm.enable_sleep", _is_colocated),
            switch("--ds.enable_sleep", _is_colocated),
        ),
        refused=(
            Note(
                lambda c: _is_colocated(c) and num_engines(c) * c.engine.openrlhf.tensor_parallel != num_gpus(c),
                "engine.openrlhf.colocate=true",
                "engines times tensor_parallel must be the GPUs that train: set engine.openrlhf.num_engines=0",
            ),
            Note(
                lambda c: _is_colocated(c) and _is_async(c),
                "engine.openrlhf.colocate=true with async_queue",
                "both run at once and need GPUs of their own: set engine.openrlhf.colocate=false",
            ),
        ),
    ),
    Option(
        ("engine.openrlhf.async_queue", "engine.openrlhf.partial_rollout", "engine.openrlhf.generated_problems"),
        "flags",
        "asynchronous and partial rollouts, and more problems at a time than a step takes",
        (
            switch("--train.async_enable", _is_async),
            one("--train.async_queue_size", lambda c: c.engine.openrlhf.async_queue or None),
            switch("--train.partial_rollout_enable", lambda c: c.engine.openrlhf.partial_rollout),
            one("--rollout.vllm_generate_batch_size", lambda c: c.engine.openrlhf.generated_problems or None),
        ),
        refused=(
            Note(
                lambda c: c.engine.openrlhf.partial_rollout and not _is_async(c),
                "engine.openrlhf.partial_rollout=true",
                "it needs engine.openrlhf.async_queue of at least 1",
            ),
            Note(
                lambda c: c.engine.openrlhf.generated_problems > 0 and not _is_async(c),
                "engine.openrlhf.generated_problems",
                "it needs engine.openrlhf.async_queue of at least 1",
            ),
            Note(
                lambda c: 0 < c.engine.openrlhf.generated_problems < c.sampling.problems_per_step,
                "engine.openrlhf.generated_problems below sampling.problems_per_step",
                "a step would not be filled: raise it, or set 0",
            ),
        ),
        differs=(
            Note(
                _is_async,
                "engine.openrlhf.async_queue above 0",
                "a step trains on episodes of an earlier policy; the step of a row is where it is trained on",
            ),
        ),
    ),
)

PASSES = (
    Option(
        ("engine.openrlhf.packing", "engine.openrlhf.tokens_per_gpu", "engine.micro_batch_trajectories"),
        "flags",
        "packed passes of so many tokens; else micro batches",
        (
            switch("--ds.packing_samples", _is_packed),
            switch("--train.dynamic_batch_enable", _is_packed),
            one("--train.max_tokens_per_gpu", lambda c: c.engine.openrlhf.tokens_per_gpu if _is_packed(c) else None),
            one("--rollout.max_tokens_per_gpu", lambda c: c.engine.openrlhf.tokens_per_gpu if _is_packed(c) else None),
            one("--train.micro_batch_size", micro_batch),
            one("--rollout.micro_batch_size", micro_batch),
        ),
        refused=(
            Note(
                lambda c: _is_packed(c) and not c.engine.openrlhf.attention.startswith("flash"),
                "engine.openrlhf.packing=true without flash attention",
                "set engine.openrlhf.packing=false, or engine.openrlhf.attention=flash_attention_2",
            ),
        ),
    ),
    Option(
        (
            "engine.openrlhf.attention",
            "engine.openrlhf.zero_stage",
            "engine.openrlhf.offload_optimiser",
            "engine.openrlhf.gradient_checkpointing",
        ),
        "flags",
        "DeepSpeed, in bfloat16: vLLM's engines of this release know no other type",
        (
            one("--ds.attn_implementation", lambda c: c.engine.openrlhf.attention),
            one("--ds.zero_stage", lambda c: c.engine.openrlhf.zero_stage),
            one("--ds.param_dtype", lambda c: "bf16"),
            switch("--ds.adam_offload", lambda c: c.engine.openrlhf.offload_optimiser),
            switch("--actor.gradient_checkpointing_enable", lambda c: c.engine.openrlhf.gradient_checkpointing),
        ),
    ),
    Option(
        ("engine.openrlhf.mismatch", "engine.openrlhf.mismatch_low", "engine.openrlhf.mismatch_high"),
        "flags",
        "importance weights between trainer and vLLM",
        (
            one("--algo.advantage.is_correction_level", lambda c: _level(c) or "off"),
            one("--algo.advantage.is_correction_mode", _mode),
            Flag(
                "--algo.advantage.is_correction_threshold",
                lambda c: (c.engine.openrlhf.mismatch_low, c.engine.openrlhf.mismatch_high) if _level(c) else None,
            ),
        ),
        refused=(
            Note(
                lambda c: c.algorithm.loss == "gspo" and c.engine.openrlhf.mismatch != "off",
                "engine.openrlhf.mismatch with algorithm.loss=gspo",
                "OpenRLHF corrects no ratio of a sequence: set engine.openrlhf.mismatch=off",
            ),
        ),
    ),
)

RUN = (
    Option(
        ("policy.path",),
        "flags",
        "a Hugging Face directory, at the same path on every node",
        refused=(
            Note(
                lambda c: not c.policy.path,
                "the embedded policy",
                "vLLM does not run it: set policy.path to a Hugging Face directory",
            ),
        ),
    ),
    Option(
        ("engine.lora.rank",),
        "flags",
        "all weights are trained",
        refused=(
            Note(
                lambda c: c.engine.lora.rank > 0,
                "engine.lora.rank above 0",
                "this release sends adapters to vLLM by names that vLLM does not know: set engine.lora.rank=0, or "
                "engine.train=torch",
            ),
        ),
    ),
    Option(("engine.openrlhf.context_tokens",), "flags", "`--data.max_len`, prompt and all turns"),
    Option(("budget.max_steps",), "prompts", "one line a problem of each step, in one episode of OpenRLHF's"),
    Option(
        ("budget.train_tokens", "engine.openrlhf.save_steps"),
        "watch",
        "sampled tokens are counted; the run ends with the first checkpoint at or after the budget",
        (one("--ckpt.save_steps", lambda c: c.engine.openrlhf.save_steps), one("--train.num_episodes", lambda c: 1)),
        differs=(
            Note(
                lambda c: c.engine.openrlhf.save_steps > 1,
                "engine.openrlhf.save_steps above 1",
                "a run may go up to save_steps - 1 steps beyond its token budget",
            ),
        ),
    ),
    Option(("budget.max_train_seconds",), "watch", "a run that outlasts it is stopped: train_budget_overrun"),
    Option(("seed",), "flags", "`--train.seed`; each turn is sampled under the seed of its trajectory"),
)

HARDWARE = (*GPUS, *PASSES, *RUN)
