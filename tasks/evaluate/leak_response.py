"""Score policies again under stricter access: a version whose audit names a leak, and the peers it compares with."""

import json
import shutil
from collections.abc import Sequence

from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles, VersionFiles
from evotrainer.config import Config
from evotrainer.domains.problem_sets.loading import load_problems
from evotrainer.engines import policy_path
from evotrainer.records import VersionSpec
from evotrainer.rollouts.evaluation import (
    choose_problems,
    evaluate_policy,
    graded_table,
    open_policy,
    sampled,
    write_evaluation,
)

UNUSED = "UNUSED"


def open_folder(own: VersionFiles) -> None:
    """Make leak_response/ anew, with a file that says that nothing had to be scored again."""
    shutil.rmtree(own.leak_response, ignore_errors=True)
    own.leak_response.mkdir(parents=True)
    (own.leak_response / UNUSED).write_text("no leak was found: nothing was scored again\n", encoding="utf-8")


def rescore(
    files: CampaignFiles, spec: VersionSpec, config: Config, names: Sequence[str], split: str
) -> tuple[dict[str, float], int]:
    """Write leak_response/<name>/ for each named version; return their scores and the number of sampled tokens.

    `config` is the campaign's under the stricter access policy.
    Raises InfrastructureError where a problem lost all attempts.
    """
    own = files.version(spec.version)
    problems = load_problems(files.root, config.domain, split)
    chosen = choose_problems(problems, config.evaluate.max_problems, spec.campaign_seed)
    scores: dict[str, float] = {}
    num_tokens = 0
    for name in names:
        engine = open_policy(config, policy_path(files, config, name), _recorded_hash(files, name))
        rows = evaluate_policy(engine, chosen, config, spec.model_copy(update={"version": name}), split)
        table = graded_table(sampled(rows), config, f"{name}, scored again,")
        write_evaluation(own.leak_response / name, rows, config)
        scores[name] = table.score
        num_tokens += sum(row.num_tokens for row in rows)
    if scores:
        (own.leak_response / UNUSED).unlink(missing_ok=True)
    return scores, num_tokens


def _recorded_hash(files: CampaignFiles, version: str) -> str | None:
    if version == BASE_VERSION:
        return None
    return json.loads(files.version(version).training_summary.read_bytes())["policy_hash"]
