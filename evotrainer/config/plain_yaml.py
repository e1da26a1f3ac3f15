"""YAML as plain values, read by libyaml where PyYAML was built with it: in a tenth of the time."""

from typing import Any

import yaml

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def load_yaml(text: str) -> Any:
    """Return the values of a document; raises yaml.YAMLError. Tags that would build objects are refused."""
    return yaml.load(text, Loader=LOADER)
