"""`one-gpu`: speed, use and memory of training a model of a real size on one device."""

import shlex
from pathlib import Path
from typing import Annotated

import typer


def one_gpu(
    folder: Annotated[Path, typer.Option(help="Where random models and results lie.")] = Path("build/one_gpu"),
    model: Annotated[str, typer.Option(help="Size of the model: 0.6b, 1.7b or 4b.")] = "0.6b",
    settings: Annotated[str, typer.Option(help="Names of settings, by comma.")] = "full,lora",
    problems: Annotated[int, typer.Option(min=1, help="Problems of a step.")] = 8,
    group: Annotated[int, typer.Option(min=2, help="Attempts at each.")] = 16,
    tokens: Annotated[int, typer.Option(min=1, help="Sampled tokens of an attempt.")] = 256,
    steps: Annotated[int, typer.Option(min=2, help="Training steps; the first is not timed.")] = 3,
    vllm_python: Annotated[str, typer.Option(help="Interpreter with vLLM.")] = ".engines/vllm/bin/python",
    vllm_share: Annotated[float, typer.Option(min=0.01, max=1, help="Share of GPU memory of a vLLM server.")] = 0.3,
    vllm_arguments: Annotated[str, typer.Option(help="Further arguments of a vLLM server, as a shell has them.")] = "",
) -> None:
    """Tokens a second, use and memory of training steps on one GPU."""
    from benchmarks.model_steps.bench import SETTINGS, main
    from benchmarks.model_steps.random_model import SHAPES
    from benchmarks.model_steps.scale import Scale
    from evotrainer.config.engines import VllmConfig
    from evotrainer.config.limits import find

    names = settings.split(",")
    for name in names:
        find(SETTINGS, "--settings", name)
    find(SHAPES, "--model", model)
    served = VllmConfig(python=vllm_python, gpu_memory_share=vllm_share, arguments=shlex.split(vllm_arguments))
    ended = main(folder.resolve(), Scale(model, problems, group, tokens, steps), names, served)
    raise typer.Exit(0 if ended else 1)
