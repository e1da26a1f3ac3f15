"""Options that typer cannot check by itself: lists of whole numbers, and a folder that will be written to.

They are looked at before a command computes anything; what is wrong is a ConfigError that says what is allowed.
"""

import os
from pathlib import Path

from evotrainer.errors import ConfigError


def whole_numbers(option: str, text: str, limits: tuple[float, float]) -> list[int]:
    """Return the numbers of a list like `77,175`; raises ConfigError for one that is none, out of range or repeated."""
    low, high = limits
    wanted = f"give whole numbers from {low:g} to {high:g}, separated by commas"
    numbers: list[int] = []
    for word in text.split(","):
        try:
            number = int(word)
        except ValueError:
            raise ConfigError(f"{option} {text!r}: {word!r} is no whole number; {wanted}") from None
        if not low <= number <= high:
            raise ConfigError(f"{option} {text!r}: {number} is out of range; {wanted}")
        if number in numbers:
            raise ConfigError(f"{option} {text!r}: {number} is there twice; {wanted}")
        numbers.append(number)
    return numbers


def output_folder(path: Path) -> Path:
    """Return `path`, which is not made yet; raises ConfigError where no folder can be had under that name."""
    nearest = next(place for place in (path, *path.absolute().parents) if os.path.lexists(place))
    if not nearest.is_dir():
        raise ConfigError(f"--out {path}: {nearest} is no folder; name a folder, it is made where it is missing")
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise ConfigError(f"--out {path}: {nearest} cannot be written to; name another folder")
    return path
