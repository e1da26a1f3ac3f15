"""Packages that are no requirement, and what lacks without them: one sentence with the remedy, or nothing.

Nothing is imported to find out, so that a campaign can be told before it starts.
"""

from importlib.util import find_spec

from evotrainer.config import EngineConfig


def without_peft() -> str:
    """Return why adapters cannot be had, or nothing."""
    return "" if find_spec("peft") else "adapters need peft: `pip install peft`, or set engine.lora.rank=0"


def without_8bit(device: str) -> str:
    """Return why moments cannot lie in 8 bits on a kind of device, or nothing."""
    if device != "cuda":
        return "engine.optimiser=adamw_8bit needs a CUDA device: use engine.optimiser=adamw"
    if find_spec("bitsandbytes"):
        return ""
    return "engine.optimiser=adamw_8bit needs bitsandbytes: `pip install bitsandbytes`, or use adamw_cpu"


def without_flash(device: str) -> str:
    """Return why flash attention cannot be had, or nothing."""
    if device == "cuda" and find_spec("flash_attn"):
        return ""
    return "engine.attention=flash_attention_2 needs a CUDA device and flash-attn: use engine.attention=auto"


def missing_extras(engine: EngineConfig, device: str) -> list[str]:
    """Return what training on a kind of device, cuda or cpu, asks for and does not have."""
    asked = (
        (engine.lora.rank > 0, without_peft()),
        (engine.optimiser == "adamw_8bit", without_8bit(device)),
        (engine.attention == "flash_attention_2", without_flash(device)),
    )
    return [text for is_asked, text in asked if is_asked and text]
