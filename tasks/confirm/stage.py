"""After the verdict: fresh training seeds of a promoted recipe (seeds.py), the parts of a merge (parts.py).

    verdict ─► recipe gate over seeds ─► claim ─┐
                        └─► predicted metric, negative controls ─► FIRED | NOT_FIRED | CONFOUNDED ─► confirmation.json
    merge   ─► neither, first, second, both on fresh rows ─────────┘

The verdict stays as it is: it is about one checkpoint. What a stage of this kind finds is a claim of its own. The stage
stands in a version's pipeline where evaluate.recipe_seeds asks for seeds, and for every merge.

    confirm/candidate/  confirm/reference/   rows of the runs, one step a replicate
    confirm/parts/<policy>/                  rows of the four policies around a merge
    confirm/UNCONFIRMED                      why there are none
"""

import shutil

from evotrainer.campaign.answers import start_record
from evotrainer.campaign.documents import write_atomic
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.leak_response import in_force
from evotrainer.campaign.ledger import write_tokens
from evotrainer.campaign.repository import StoredVersion, load_records
from evotrainer.config import load_config
from evotrainer.domains.problem_sets.loading import load_problems
from evotrainer.records import Confirmation
from evotrainer.rollouts.evaluation import choose_problems
from tasks.confirm.parts import evaluate_parts, why_unparted
from tasks.confirm.seeds import Question, confirm_recipe, why_unconfirmed

SPLIT = "validation"
UNCONFIRMED = "UNCONFIRMED"


def run(files: CampaignFiles, version: str) -> None:
    """Write confirm/ and confirmation.json of the version."""
    version_files = files.version(version)
    stored = StoredVersion(version_files)
    spec = stored.spec.read()
    config = in_force(load_config(files.config), spec)
    problems = choose_problems(
        load_problems(files.root, config.domain, SPLIT), config.evaluate.max_problems, spec.campaign_seed
    )
    asked = Question(files, spec, config, load_records(version_files.lineage), stored.verdict.read(), problems)
    start_record(config.domain, version_files.judge / "confirm.jsonl")
    shutil.rmtree(version_files.confirm, ignore_errors=True)
    version_files.confirm.mkdir(parents=True)
    found, tokens = Confirmation(version=version, reasons=[]), 0
    if reason := why_unconfirmed(asked):
        found = found.model_copy(update={"reasons": [reason]})
    else:
        found, tokens = confirm_recipe(asked)
    if not why_unparted(asked):
        merge, part_tokens = evaluate_parts(asked)
        found, tokens = found.model_copy(update={"merge": merge}), tokens + part_tokens
    if not any(version_files.confirm.iterdir()):
        write_atomic(version_files.confirm / UNCONFIRMED, "; ".join(found.reasons) + "\n")
    stored.confirmation.write(found)
    write_tokens(version_files, "confirm", tokens)
    print(
        f"recipe: {found.recipe.outcome if found.recipe else 'unproven'}\nattribution: {found.attribution}", flush=True
    )
