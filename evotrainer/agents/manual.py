"""The interventions that a person wrote, in the order in which trainer.interventions names them.

They pass every law and guard that an agent's proposals pass. What a file leaves out of success and limits is filled in
as for any agent (criteria.py).
"""

from pydantic import ValidationError

from evotrainer.agents.base import ProposalContext, limits_of, success_of
from evotrainer.config.interventions import build
from evotrainer.config.written import WrittenIntervention
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
    block, reading = written.block, context.reading()
    try:
        prediction = Prediction.model_validate(block["prediction"])
        conditions = {
            kind: [Condition.model_validate(one) for one in block[kind]]
            for kind in ("success", "limits", "negative_controls")
            if kind in block
        }
    except (ValidationError, TypeError) as error:
        raise ConfigError(f"the intervention {written.name} is malformed: {' '.join(str(error).split())}") from None
    return build(
        context.config,
        written.setting,
        author=str(block.get("author", AUTHOR)),
        hypothesis=" ".join(str(block["hypothesis"]).split()),
        prediction=prediction,
        success=conditions.get("success", success_of(reading)),
        limits=conditions.get("limits", limits_of(prediction.metric, reading, context.report.guards)),
        negative_controls=conditions.get("negative_controls", []),
        evidence=[f"written:{written.name}"],
        parents=[context.incumbent],
        files=written.files,
        table=context.factors,
    )
