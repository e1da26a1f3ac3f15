"""Whether budget.total has room for a single version beside the base policy and the certificate.

Attempts are known before anything runs. Tokens are estimated, from the attempts that were tried where there are some.
Hours, accelerator hours and dollars are known once the base policy is evaluated.
"""

from evotrainer.campaign.budget.estimate import sealed_share
from evotrainer.campaign.budget.foreseen import Foreseen, foreseen_attempts
from evotrainer.domains.problem_sets.loading import split_rows
from evotrainer.errors import BudgetError, DataError
from flows.workspace.check import Check
from flows.workspace.checks.base import Start
from flows.workspace.checks.problems import num_built
from flows.workspace.own_files import reading_for

AT_LEAST = {"trajectories": "", "tokens": ", each of a token at least"}
LEAST_TOKENS = 1.0
"""Of an attempt, where none was tried."""


def look_at_budget(start: Start) -> list[Check]:
    """Compare the attempts with the limits; raises BudgetError where no version can be closed within them."""
    total = start.config.budget.total
    found = _foreseen(start) if total.trajectories or total.tokens else None
    if found is None:
        return []
    for name in ("trajectories", "tokens"):
        limit = getattr(total, name)
        if limit and limit < found.total:
            raise BudgetError(f"budget.total.{name}={limit} has no room for a version: {found.shown}{AT_LEAST[name]}")
    text = f"{found.shown}; at budget.total.trajectories={total.trajectories}"
    return [*([Check("budget", "ok", text)] if total.trajectories else []), *_tokens(start, found, LEAST_TOKENS)]


def tokens_tried(start: Start, tokens: float) -> list[Check]:
    """Compare the limit of tokens with what attempts of this length take."""
    found = _foreseen(start) if start.config.budget.total.tokens else None
    return [] if found is None else _tokens(start, found, tokens)


def _tokens(start: Start, found: Foreseen, tokens: float) -> list[Check]:
    """Warn where the tokens of attempts and of one training are more than the limit."""
    limit, training = start.config.budget.total.tokens, start.config.budget.train_tokens
    needed = found.total * tokens + training
    if not limit or needed <= limit:
        return []
    text = (
        f"budget.total.tokens={limit} has probably no room for a version: {found.shown}, at {tokens:.3g} "
        f"token{'' if tokens == 1 else 's'} an attempt, and budget.train_tokens={training} for its training: "
        f"about {needed:,.0f}"
    )
    return [Check("budget", "warning", text)]


def _foreseen(start: Start) -> Foreseen | None:
    """Return the attempts as the campaign will hold them; None where the problems are not there, or unusable."""
    num_problems, most = _num_judged(start), start.config.evaluate.max_problems
    if not num_problems:
        return None
    folder = start.own_problems or start.main / start.config.domain.data_path
    return foreseen_attempts(start.config, min(num_problems, most), sealed_share(folder, most))


def _num_judged(start: Start) -> int:
    """Return the validation problems; 0 where they are not built yet, or cannot be read."""
    own = start.own_problems
    if own is None:
        return num_built(start)
    try:
        return len(split_rows(own, start.config.domain.name, reading_for(start.main, start.config))["validation"])
    except (DataError, KeyError):  # the look at the problems says what is wrong with them
        return 0
