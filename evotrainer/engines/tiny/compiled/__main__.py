"""Compile ahead of the first use on this machine: `python -m evotrainer.engines.tiny.compiled`."""

import evotrainer.engines.tiny.compiled.decode  # noqa: F401  its import compiles
