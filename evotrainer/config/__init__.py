"""The typed configuration: schema.py and its groups say what a key means; it reads, writes and hashes it too."""

from evotrainer.config.campaign import (
    EVOLVED,
    SHARED_PLUGINS,
    BudgetConfig,
    EvaluateConfig,
    GearConfig,
    HarnessConfig,
    MemoryConfig,
    SearchConfig,
    TrackingConfig,
    TrainerConfig,
)
from evotrainer.config.recipe import AlgorithmConfig, DataConfig, FilterConfig, RewardConfig, SamplingConfig
from evotrainer.config.schema import (
    Config,
    DomainConfig,
    EngineConfig,
    OpenRLHFConfig,
    PolicyConfig,
    VllmConfig,
    config_from_dict,
    config_text,
    config_to_dict,
    content_hash,
    flatten,
    load_config,
)
