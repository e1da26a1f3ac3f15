"""`training-memory`: what one training step of a 0.6-billion model takes, beside the estimate."""

from pathlib import Path
from typing import Annotated

import typer


def training_memory(
    folder: Annotated[Path, typer.Option(help="Where the random model and the results lie.")] = Path(
        "build/training_memory"
    ),
    settings: Annotated[str, typer.Option(help="Names of settings, by comma.")] = "lora16-bfloat16,full-bfloat16",
    max_gigabytes: Annotated[float, typer.Option(min=1, help="Settings that need more are left out.")] = 16.0,
) -> None:
    """Peak memory and time of one training step of a 0.6-billion-parameter model on the CPU."""
    from benchmarks.training_memory.bench import SETTINGS, main
    from evotrainer.config.limits import find

    names = settings.split(",")
    for name in names:
        find(SETTINGS, "--settings", name)
    main(folder, names, max_gigabytes)
