"""A context that records whether a diagnostic read validation rows: an agent must not see what rests on them."""

from dataclasses import fields, replace
from typing import Any

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.plugin_process import Answer
from evotrainer.evidence.visibility import OWN_PREFIX

JOINED = "graded_with_validation"
HOLDING_VALIDATION = frozenset({"validation", JOINED})
_FRAMES = ("rows", "training", "validation", "signals", JOINED)


class ObservedContext(Context):
    """A context for one diagnostic. Reading validation rows is recorded, whatever the diagnostic is called.

    Its frames are its own as soon as it asks for them: it may change them without effect on others.
    """

    has_read_validation = False

    def __getattribute__(self, name: str) -> Any:
        if name in HOLDING_VALIDATION:
            object.__setattr__(self, "has_read_validation", True)
        own = object.__getattribute__(self, "__dict__")
        shared: dict[str, Context] = own.get("shared", {})
        if name in shared:
            own[name] = getattr(shared.pop(name), name).copy(deep=False)  # pandas copies on write
        return object.__getattribute__(self, name)

    def marked(self, said: Diagnosis) -> Diagnosis:
        """Return a diagnosis whose findings say that they rest on validation rows, where any were read."""
        if not self.has_read_validation or not len(self.validation):
            return said
        findings = [found.model_copy(update={"reads_validation": True}) for found in said.findings]
        return replace(said, findings=findings)


def observed(context: Context, **changes: Any) -> ObservedContext:
    """Return the context with these changes, observed from now on."""
    values = {field.name: getattr(context, field.name) for field in fields(Context)}
    view = ObservedContext(**values | changes)
    vars(view)["shared"] = {name: context for name in _FRAMES if name not in changes}
    return view


def withheld(full: Answer, blind: Answer) -> Answer:
    """Return what a person's own diagnostic says, what it cannot say without validation rows and files marked as such.

    Metrics that differ get a name that no agent is shown. What is asked is what came out, not what was read: a module
    may reach rows by other ways than its context.
    """
    same, found = blind.diagnosis.metrics, full.diagnosis
    metrics = {
        name if same.get(name) == value else f"{OWN_PREFIX}{name}": value for name, value in found.metrics.items()
    }
    findings = [
        one if one in blind.diagnosis.findings else one.model_copy(update={"reads_validation": True})
        for one in found.findings
    ]
    said = replace(found, metrics=metrics, findings=findings)
    return replace(full, diagnosis=said, is_withheld=full.failure != blind.failure)
