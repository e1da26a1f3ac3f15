"""Training signals at the end of a run: means over the last third of its optimiser steps. No findings.

entropy and kl in nats a token; clip_fraction, kept_groups in [0, 1]; grad_norm; mean_ratio of new to old probability.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, known
from evotrainer.diagnosis.hookspecs import hookimpl

_SIGNALS = ("entropy", "kl", "clip_fraction", "grad_norm", "mean_ratio", "kept_groups")


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return the means; nothing for evidence without signals."""
    if context.signals.empty:
        return Diagnosis()
    last = context.signals.tail(max(1, len(context.signals) // 3))
    return Diagnosis(known({**{name: last[name].mean() for name in _SIGNALS}, "num_steps": len(context.signals)}))
