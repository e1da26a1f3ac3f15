"""One run's command line: the rows of the map, and the run's own paths, seed and lengths."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evotrainer.config import Config
from evotrainer.engines.model_files import max_positions
from evotrainer.errors import ConfigError
from evotrainer.training.openrlhf.options import flags_of
from evotrainer.training.openrlhf.prompts import AGENT, PROMPTS

SEED_BITS = 31
"""OpenRLHF seeds numpy, which takes no more than 32 bits."""
RUN_NAME = "run"


@dataclass(frozen=True)
class RunFiles:
    """The folder of a run, in scratch: it must lie at the same path on every node."""

    folder: Path

    @property
    def job(self) -> Path:
        """What the job reads."""
        return self.folder / "job"

    @property
    def rows(self) -> Path:
        """Episodes, one file a group."""
        return self.folder / "rows"

    @property
    def judge(self) -> Path:
        """Answers of the judge, one file a worker."""
        return self.folder / "judge"

    @property
    def events(self) -> Path:
        """TensorBoard files."""
        return self.folder / "tensorboard"

    @property
    def checkpoints(self) -> Path:
        """DeepSpeed's state and Hugging Face directories of the last steps."""
        return self.folder / "checkpoints"

    @property
    def model(self) -> Path:
        """The policy of a run that came to its end."""
        return self.folder / "model"

    @property
    def log(self) -> Path:
        """What the job printed."""
        return self.folder / "log.txt"


def arguments(config: Config, init_path: Path, seed: int, files: RunFiles) -> list[str]:
    """Return the arguments of OpenRLHF's trainer, for a configuration that it can express.

    Raises:
        ConfigError: the model's longest sequence is not known, or too short.

    """
    flags: dict[str, tuple[Any, ...]] = {
        "--actor.model_name_or_path": (init_path.resolve(),),
        "--train.agent_func_path": (files.job / AGENT,),
        "--data.prompt_dataset": (files.job / PROMPTS,),
        "--data.input_key": ("prompt",),
        "--data.label_key": ("label",),
        "--data.max_len": (context_tokens(config, init_path),),
        **flags_of(config),
        "--train.seed": (seed % 2**SEED_BITS,),
        "--ckpt.output_dir": (files.model,),
        "--ckpt.path": (files.checkpoints,),
        "--ckpt.save_hf": (),
        "--ckpt.load_enable": (),
        "--ckpt.max_num": (2,),
        "--ckpt.best_metric_key": ("none",),
        "--logger.logging_steps": (1,),
        "--logger.tensorboard_dir": (files.events,),
        "--logger.wandb.run_name": (RUN_NAME,),
    }
    return [word for flag, values in flags.items() for word in (flag, *map(str, values))]


def context_tokens(config: Config, init_path: Path) -> int:
    """Return the longest sequence, prompt and all turns; raises ConfigError where the model's own limit is unknown."""
    allowed = max_positions(init_path)
    wanted = config.engine.openrlhf.context_tokens or allowed
    if not wanted:
        raise ConfigError(f"{init_path} names no max_position_embeddings: set engine.openrlhf.context_tokens")
    if allowed and wanted > allowed:
        raise ConfigError(f"engine.openrlhf.context_tokens={wanted}: the model allows {allowed}")
    return wanted
