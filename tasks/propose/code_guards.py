"""Guards of the code that a proposal brings: it is run on the version's rollout before anything is trained.

A proposal without code costs nothing here. The rows are those of the version's own rollout, the problems its train
pool, so the answer repeats with the stage.
"""

from collections.abc import Mapping

from evotrainer.algorithm.code import RecipeCode
from evotrainer.algorithm.code.examination import examine
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.config import Config
from evotrainer.config.code import CODE_KEYS
from evotrainer.domains.problem_sets.loading import load_problems
from evotrainer.evidence.rows import Rows
from evotrainer.records import Intervention, VersionSpec


def code_refusals(
    files: CampaignFiles, spec: VersionSpec, proposal: Intervention, child: Config, sources: Mapping[str, str]
) -> list[str]:
    """Return why code that a proposal adds may not train; nothing for a proposal without code.

    `sources` are the texts of earlier versions, `child` is the recipe that the proposal gives.
    """
    added = {key: new for key, (_, new) in proposal.diff.items() if key in CODE_KEYS and new}
    if not added:
        return []
    rows = list(Rows.read(files.version(spec.version).rollout))
    problems = load_problems(files.root, child.domain, "train")
    code = RecipeCode({**sources, **proposal.files})
    found = [examine(key, proposal.files[new], child, rows, problems, code) for key, new in added.items()]
    return [f"{one.key} is refused: {reason}" for one in found for reason in one.refusals]
