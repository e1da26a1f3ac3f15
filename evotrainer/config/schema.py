"""The typed configuration of a campaign: what each key means, its unit and its default.

conf/ registers these as the Hydra schema; a version's recipe is this same tree. Its groups stand in recipe.py
(what an intervention may change), campaign.py, and here: engines, which no factor names, domain and policy. At the end
it is read from and written to YAML without Hydra, flattened and hashed.

A name's choices and a number's range stand on its field: `choice(default, others...)`, `number(default, low, high)`.
What an intervention may change is decided in factors.py, not here.
"""

import dataclasses
import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from evotrainer.actions.tool_call_formats import FORMATS
from evotrainer.config.campaign import (
    AutonomyConfig,
    BudgetConfig,
    EvaluateConfig,
    HarnessConfig,
    MemoryConfig,
    SearchConfig,
    TrackingConfig,
    TrainerConfig,
    WarmUpConfig,
)
from evotrainer.config.limits import choice, number
from evotrainer.config.recipe import AlgorithmConfig, DataConfig, FilterConfig, RewardConfig, SamplingConfig
from evotrainer.config.yaml_files import read_yaml_file
from evotrainer.errors import ConfigError


@dataclass
class VllmConfig:
    """The vLLM server of `engine.rollout=vllm`: one that runs already (`url`), else one that is started (`python`)."""

    url: str = ""
    """Address of a running server, such as http://127.0.0.1:8000; empty: `python` starts one for each stage."""
    python: str = ""
    """Interpreter of an environment of its own that has vLLM: absolute, or relative to the checkout."""
    dtype: str = choice("auto", "float32", "bfloat16", "float16")
    """Type of the served weights; auto: the checkpoint's own. It also decides how exact the canary is."""
    sleep: bool = False
    """Whether the server frees GPU memory while torch trains on the same GPU."""
    max_requests: int = number(256, 1, 65_536)
    """Requests in flight at a time; further ones wait."""
    request_seconds: float = number(600, 0.1, 86_400)
    """The longest wait for one completion; its episode is then lost, and counted."""
    start_seconds: float = number(900, 1, 86_400)
    """The longest wait for a server that is started."""
    max_model_tokens: int = number(0, 0, 16_777_216)
    """Prompt and completion of a server that is started; 0: as many as the policy allows."""
    gpu_memory_share: float = number(0.9, 0.01, 1)
    """The share of GPU memory that a server takes when it is started."""
    num_gpus: int = number(1, 1, 1024)
    """GPUs that share one copy of the policy (tensor parallelism) in a server that is started."""
    arguments: list[str] = field(default_factory=list)
    """Further arguments for the command line of a server that is started."""


@dataclass
class LoraConfig:
    """A low-rank adapter in place of training all weights; needs a policy of a person's own and peft."""

    rank: int = number(0, 0, 1024)
    """Rank of the two factors of each adapted layer; 0 trains all weights."""
    alpha: int = number(32, 1, 4096)
    """The adapter's product is scaled by alpha / rank."""
    dropout: float = number(0.0, 0, 0.9)
    """Share of an adapter's inputs that is zeroed in training; rollouts never drop any."""
    targets: list[str] = field(default_factory=list)
    """Names of the adapted layers, like q_proj; empty: every linear layer but the output."""


@dataclass
class OpenRLHFConfig:
    """Where and how OpenRLHF trains (engine.train=openrlhf); the recipe itself is in the other groups."""

    python: str = ""
    """Interpreter of an environment with openrlhf 0.11.2 and vLLM; on a cluster its path on every node."""
    worker_python: str = ""
    """Interpreter with this program, which plays the episodes beside each vLLM engine; empty: the present one."""
    ray_address: str = ""
    """Job server of a Ray cluster, http://HOST:8265; empty: a process on this machine."""
    num_nodes: int = number(1, 1, 4096)
    """Machines that train."""
    gpus_per_node: int = number(8, 1, 64)
    """GPUs a node that train."""
    context_tokens: int = number(0, 0)
    """Longest sequence, prompt and all turns; 0: what the model allows."""
    save_steps: int = number(10, 1, 1_000_000)
    """Steps between checkpoints. A run ends with the first checkpoint at or after its token budget."""
    poll_seconds: float = number(5.0, 0.05, 600)
    """Pause between two looks at the job."""
    arguments: list[str] = field(default_factory=list)
    """Flags of OpenRLHF with their values, which go before the chosen ones; the value false leaves a switch out."""


@dataclass
class EngineConfig:
    """What runs and what trains the policy."""

    rollout: str = "torch"
    """What samples a policy, by its name in evotrainer/engines/."""
    train: str = "torch"
    """What trains it, by its name in evotrainer/training/."""
    device: str = choice("auto", "cpu", "cuda")
    """auto: cuda where there is one, else cpu."""
    num_threads: int = number(1, 0, 1024)
    """Threads of one stage process, 0: one a core. Candidates train side by side, an embedded policy on one core."""
    compiled: bool = True
    """Sample an embedded policy in compiled code, on a CPU; false: by torch, with logprobs that differ by 1e-6."""
    batch_trajectories: int = number(512, 1, 1_000_000)
    """Trajectories generated at once."""
    micro_batch_tokens: int = number(1024, 1, 16_777_216)
    """Tokens in a forward and backward pass of a policy of one's own; a longer trajectory is a pass of its own."""
    precision: str = choice("float32", "bfloat16")
    """What weights are trained and stored in. The optimiser of bfloat16 weights keeps float32 copies."""
    optimiser: str = choice("adamw", "adamw_8bit", "adamw_cpu")
    """Where AdamW's moments lie: on the device, there in 8 bits (bitsandbytes), or in main memory."""
    gradient_checkpointing: bool = False
    """Compute each layer again in the backward pass in place of keeping what it computed."""
    attention: str = choice("auto", "flash_attention_2", "sdpa", "eager")
    """auto: flash_attention_2 on CUDA in bfloat16 where it is installed, else what transformers prefers."""
    check_memory: bool = True
    """Refuse to train a policy of a person's own where the estimate exceeds the free memory."""
    vllm: VllmConfig = field(default_factory=VllmConfig)
    lora: LoraConfig = field(default_factory=LoraConfig)
    openrlhf: OpenRLHFConfig = field(default_factory=OpenRLHFConfig)


@dataclass
class DomainConfig:
    """Where problems come from and how the policy meets them."""

    name: str = "math"
    """A domain of evotrainer/domains/, or `package.module:OBJECT` of a person's own."""
    data_path: str = "data/math"
    """Folder with train.jsonl, probe.jsonl, validation.jsonl, test.jsonl; or a file or folder of a person's own, as
    JSONL, Parquet or saved by `datasets`."""
    columns: dict[str, str] = field(default_factory=dict)
    """Columns of a person's own file that are called otherwise, wanted: found, like {question: q, answer: a}."""
    repositories: str = ""
    """swe: folder of clones that rows in the style of SWE-bench refer to; empty: beside the problem file."""
    system_prompt: str = ""
    """System message of each trajectory; empty for none."""
    access: str = ""
    """What an episode may read or call, by the name of an access policy of the domain; empty: the strictest."""
    max_observation_chars: int = 2000
    """swe: the longest answer of a tool; what is left out is counted at its end."""
    terms: list[str] = field(default_factory=list)
    """Further reward terms, each `package.module:function` (domains/reward_terms.py); reward.terms weighs them."""
    audit_path: str = ""
    """Train problems with a stronger verifier, as a file or a folder with train.jsonl; empty: no audit (levers/)."""
    judge_url: str = ""
    """Base URL of an OpenAI-style chat endpoint whose model scores answers by a rubric; empty: no judge."""
    judge_model: str = "judge"
    """Name of the model that the judge asks for."""


@dataclass
class PolicyConfig:
    """The base policy. `path` empty: the embedded one, which comes with the code."""

    name: str = "tiny_math"
    """An embedded policy: tiny_math, tiny_code or tiny_swe."""
    path: str = ""
    """A local Hugging Face causal LM directory, used instead of the embedded policy."""
    tool_call_format: str = choice("", *FORMATS)
    """How the policy writes tool calls, by the name of vLLM's parser; empty: as its chat template writes them."""


@dataclass
class Config:
    """A campaign's configuration, and a version's recipe."""

    domain: DomainConfig = field(default_factory=DomainConfig)
    policy: PolicyConfig = field(default_factory=PolicyConfig)
    engine: EngineConfig = field(default_factory=EngineConfig)
    algorithm: AlgorithmConfig = field(default_factory=AlgorithmConfig)
    reward: RewardConfig = field(default_factory=RewardConfig)
    filter: FilterConfig = field(default_factory=FilterConfig)
    sampling: SamplingConfig = field(default_factory=SamplingConfig)
    data: DataConfig = field(default_factory=DataConfig)
    trainer: TrainerConfig = field(default_factory=TrainerConfig)
    search: SearchConfig = field(default_factory=SearchConfig)
    harness: HarnessConfig = field(default_factory=HarnessConfig)
    memory: MemoryConfig = field(default_factory=MemoryConfig)
    tracking: TrackingConfig = field(default_factory=TrackingConfig)
    warm_up: WarmUpConfig = field(default_factory=WarmUpConfig)
    budget: BudgetConfig = field(default_factory=BudgetConfig)
    evaluate: EvaluateConfig = field(default_factory=EvaluateConfig)
    autonomy: AutonomyConfig = field(default_factory=AutonomyConfig)
    seed: int = number(0, 0, 2**62)
    """Of all draws of the campaign."""
    num_versions: int = number(6, 1, 999)
    """Versions of the campaign that reinforcement learning trains, the baseline among them."""
    init: str = choice("base", "parent")
    """base: each version trains from v0; parent: from its parent's policy."""


def config_from_dict(values: dict[str, Any]) -> Config:
    """Build a Config from nested plain values; raises TypeError on an unknown key."""
    return _built(Config, values)


def _built(kind: Any, values: dict[str, Any]) -> Any:
    nested = {field.name: field.type for field in dataclasses.fields(kind) if dataclasses.is_dataclass(field.type)}
    return kind(**{key: _built(nested[key], value) if key in nested else value for key, value in values.items()})


def config_to_dict(config: Config) -> dict[str, Any]:
    """Return nested plain values, in declaration order."""
    return dataclasses.asdict(config)


def load_config(path: Path) -> Config:
    """Return the Config in a plain YAML file, without Hydra; raises ConfigError naming the file."""
    try:
        return config_from_dict(read_yaml_file(path, "is no configuration: keys stand in groups"))
    except (TypeError, AttributeError) as error:
        raise ConfigError(f"{path} is not a configuration: {' '.join(str(error).split())}") from None


def config_text(config: Config) -> str:
    """Return all effective values as plain YAML, in declaration order."""
    return yaml.safe_dump(config_to_dict(config), sort_keys=False, allow_unicode=True)


def flatten(values: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return {'algorithm.learning_rate': 6.4e-05, ...} of nested values; lists stay values."""
    flat: dict[str, Any] = {}
    for key, value in values.items():
        name = f"{prefix}{key}"
        flat.update(flatten(value, f"{name}.") if isinstance(value, dict) and value else {name: value})
    return flat


def content_hash(values: Any) -> str:
    """Return the first 16 hex digits of the SHA-256 of the canonical JSON of `values`."""
    text = json.dumps(values, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
