"""A context that records whether a diagnostic read validation rows: an agent must not see what rests on them."""

from dataclasses import fields, replace
from typing import Any

from evotrainer.diagnosis.context import Context, Diagnosis


class ObservedContext(Context):
    """A context for one diagnostic. Reading `validation` is recorded, whatever the diagnostic is called."""

    has_read_validation = False

    def __getattribute__(self, name: str) -> Any:
        if name == "validation":
            object.__setattr__(self, "has_read_validation", True)
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
    return ObservedContext(**values | changes)
