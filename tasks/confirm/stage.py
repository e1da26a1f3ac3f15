"""After the verdict: fresh training seeds of a promoted recipe (seeds.py).

    verdict ─► recipe gate over seeds ─► claim
                        └─► predicted metric, negative controls ─► FIRED | NOT_FIRED | CONFOUNDED ─► confirmation.json

The verdict stays as it is: it is about one checkpoint. What a stage of this kind finds is a claim of its own. The stage
stands in a version's pipeline where evaluate.recipe_seeds asks for seeds.

    confirm/candidate/  confirm/reference/   rows of the runs, one step a replicate
    confirm/WHY                              why there are none
"""

from evotrainer.campaign.answers import start_record
from evotrainer.campaign.documents import emptied, emptied_because
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.leak_response import in_force
from evotrainer.campaign.ledger import write_tokens
from evotrainer.campaign.repository import load_records
from evotrainer.config import load_config
from evotrainer.domains.problem_sets.loading import load_problems
from evotrainer.records import Confirmation
from evotrainer.rollouts.evaluation import choose_problems
from tasks.confirm.seeds import Question, confirm_recipe, why_unconfirmed

SPLIT = "validation"


def run(files: CampaignFiles, version: str) -> None:
    """Write confirm/ and confirmation.json of the version."""
    own = files.version(version)
    spec = own.spec.read()
    config = in_force(load_config(files.config), spec)
    problems = choose_problems(
        load_problems(files.root, config.domain, SPLIT), config.evaluate.max_problems, spec.campaign_seed
    )
    asked = Question(files, spec, config, load_records(own.lineage), own.verdict.read(), problems)
    start_record(config.domain, own.judge / "confirm.jsonl")
    emptied(own.confirm)
    found, tokens = Confirmation(version=version, reasons=[]), 0
    if reason := why_unconfirmed(asked):
        found = found.model_copy(update={"reasons": [reason]})
    else:
        found, tokens = confirm_recipe(asked)
    if not any(own.confirm.iterdir()):
        emptied_because("; ".join(found.reasons), own.confirm)
    own.confirmation.write(found)
    write_tokens(own, "confirm", tokens)
    print(
        f"recipe: {found.recipe.outcome if found.recipe else 'unproven'}\nattribution: {found.attribution}", flush=True
    )
