"""A lineage of trials as one HTML page: scores, failures by specialist, keeps, best chain, tree, noise, predictions.

It is what `evotrainer trials NAME` shows, for a lineage that is no campaign: imported records, or a run over a script.
Text of hypotheses was written elsewhere; it is made inert and escaped as in a campaign's page.
"""

from pathlib import Path

from markupsafe import Markup

from evotrainer.campaign.atomic import write_atomic
from evotrainer.campaign.trials.lineage import best_chain, leaderboard, tree_lines
from evotrainer.campaign.trials.skill import skills
from evotrainer.campaign.trials.store import stored_trials
from evotrainer.records import TrialSet
from evotrainer.report.page import style_hash, style_sheet, template_environment
from evotrainer.report.svg.trials import trials_figure
from evotrainer.report.trials import SKILL_COLUMNS, TRIAL_COLUMNS, label_table, noise_line, skill_row, trial_row

PAGE = "report.html"


def write_trials_report(root: Path, found: TrialSet) -> Path:
    """Write the page beside the records of a stored lineage; return its path."""
    path = stored_trials(root, found.name).path.with_name(PAGE)
    write_atomic(path, render_trials(found))
    return path


def render_trials(found: TrialSet) -> str:
    """Return the page of a lineage."""
    style = style_sheet()
    ranked = leaderboard(found.trials, found.better)
    return (
        template_environment()
        .get_template("trials.html.j2")
        .render(
            found=found,
            num_trials=sum(trial.label != "baseline" for trial in found.trials),
            num_kept=sum(trial.label == "keep" for trial in ranked),
            best=ranked[0] if ranked else None,
            figure=trials_figure(found.trials, found.better),
            labels=label_table(found.trials),
            keeps=(TRIAL_COLUMNS, [trial_row(trial, len(trial.hypothesis)) for trial in ranked]),
            chain=[trial.trial_id for trial in best_chain(found.trials, found.better)],
            tree=tree_lines(found.trials),
            noise=noise_line(found),
            skill=(SKILL_COLUMNS, [skill_row(skill) for skill in skills(found.trials)]),
            style=Markup(style),
            style_hash=style_hash(style),
        )
    )
