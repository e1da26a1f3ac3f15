"""Honest answers of many habits: reference solutions with what people write around them. None may be rejected.

The programs stand in honest.yaml:

    heads     before a function; must stand first, or are short
    habits    before a function, and but for those of ALONE behind a file of a repository
    streams   programs that add the numbers of their input
    patches   behind a file of a repository
"""

from pathlib import Path

import yaml

ALONE = frozenset({"module getattr", "exec built"})
_PROGRAMS = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
_HABITS = {name: f"\n{text}" for name, text in _PROGRAMS["habits"].items()}
CODE: dict[str, str] = _PROGRAMS["heads"] | _HABITS
"""Put before a function."""
STREAMS: dict[str, str] = _PROGRAMS["streams"]
PATCHES: dict[str, str] = _PROGRAMS["patches"] | {
    name: f"\n\n{text}" for name, text in _HABITS.items() if name not in ALONE
}
"""Put behind the file that the reference patch changes."""
