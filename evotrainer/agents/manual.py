"""The interventions that a person wrote, in the order in which trainer.interventions names them.

They pass every law and guard that an agent's proposals pass. What a file leaves out of success and limits is filled in
as for any agent (agents/base.py).
"""

from pydantic import ValidationError

from evotrainer.agents.base import ProposalContext
from evotrainer.config.interventions import CONDITION_KINDS, WrittenIntervention
from evotrainer.errors import ConfigError, InterventionError
from evotrainer.records import Condition, Intervention, Prediction

AUTHOR = "a person"


class ManualAgent:
    """Proposes what stands in conf/intervention/, and nothing else."""

    def propose(self, context: ProposalContext) -> list[Intervention]:
        """Return the written interventions that change the incumbent's recipe."""
        proposals = []
        for written in context.written:
            try:
                proposals.append(build_written(written, context))
            except InterventionError:  # the incumbent has it, or cannot be changed by it: the start checked the rest
                continue
        return proposals


def build_written(written: WrittenIntervention, context: ProposalContext) -> Intervention:
    """Return a written intervention as a change of the incumbent's recipe.

    Raises:
        InterventionError: it breaks a law.
        ConfigError: a value, a prediction or a condition is malformed.

    """
    block = written.block
    try:
        prediction = Prediction.model_validate(block["prediction"])
        conditions = {
            kind: [Condition.model_validate(one) for one in block[kind]] for kind in CONDITION_KINDS if kind in block
        }
    except (ValidationError, TypeError) as error:
        raise ConfigError(f"the intervention {written.name} is malformed: {' '.join(str(error).split())}") from None
    found = context.change(
        written.setting,
        author=str(block.get("author", AUTHOR)),
        hypothesis=" ".join(str(block["hypothesis"]).split()),
        prediction=prediction,
        evidence=[f"written:{written.name}"],
        files=written.files,
    )
    return found.model_copy(update=conditions)
