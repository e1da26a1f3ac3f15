"""A supervised warm-up: a policy that is shown worked answers before reinforcement learning, as a policy of its own.

    worked answers or right attempts ─► none judged on, each graded right ─► fit_supervised ─► a directory, its card

A policy whose answers never have the asked form gives no group a signal: it cannot learn from rewards alone. The
directory is the base policy of a campaign, v000. Equal arguments give equal bytes on one kind of processor.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from evotrainer.campaign.documents import new_folder, split_card
from evotrainer.campaign.running import Pace, say
from evotrainer.config import Config
from evotrainer.diagnosis.thresholds import LIMITS
from evotrainer.domains import create_environment, create_grader, find_domain
from evotrainer.domains.problem_sets.loading import problem_of, split_rows
from evotrainer.domains.problem_sets.overlap import DEMONSTRATIONS_FILE, check_rows, read_demonstrated
from evotrainer.domains.problem_sets.rows import Reading, Row
from evotrainer.engines.checkpoint import policy_hash
from evotrainer.errors import ConfigError, DataError, PolicyError
from evotrainer.evidence.rows import Rows
from evotrainer.records import Message, Problem
from evotrainer.records.base import HELD
from evotrainer.rollouts.evaluation import choose_problems
from evotrainer.sandbox.kernel import num_processors
from evotrainer.training.base import Pair

WORKED = ("solution", "completion")
"""Keys of a row's worked answer, the first that it has; of a code problem it is the reference program."""


@dataclass(frozen=True)
class Demonstrations:
    """Problems with their worked answers, none of which is judged on."""

    problems: tuple[Problem, ...]
    answers: tuple[str, ...]
    """Of each problem, as the policy is to write it."""
    identities: tuple[str, ...]
    """By which overlaps with other problems are found."""


@dataclass(frozen=True)
class WarmedUp:
    """What came of a warm-up."""

    policy_hash: str
    losses: list[float]
    """Of each step, nats a token."""


def read_demonstrations(
    data: Path,
    against: Path | None,
    config: Config,
    reading: Reading | None = None,
    attempts: Mapping[str, str] | None = None,
) -> Demonstrations:
    """Return rows of `data` with worked answers: of its train split, or all of them where `against` is judged on.

    At most `config.warm_up.rows` of them, which the campaign's seed chooses. With `attempts` ({problem_id: text}) these
    are the answers, and problems without one are left out.

    Raises:
        DataError: rows hold no worked answer that the grader takes for right, or a problem that is judged on.

    """
    name = config.domain.name
    check_one_turn(config)
    splits = split_rows(data, name, reading)
    shown = [row for rows in splits.values() for row in rows] if against else splits.get("train", [])
    if attempts is not None and not (shown := [row for row in shown if row.row_id in attempts]):
        raise DataError(f"none of the attempts is a right one, in one turn, at a train problem of {data}: name others")
    held = split_rows(against, name) if against else splits
    rows = {"train": shown} | {split: held[split] for split in HELD if split in held}
    if known := [each for each in check_rows(rows, None, LIMITS.text_overlap).overlaps if each.is_same]:
        raise DataError(
            f"{data}: {len(known)} demonstrations show problems that are judged on, like {known[0].other} "
            f"({known[0].problem_id} of {known[0].split}): remove them"
        )
    row_of = {row.row_id: row for row in shown}
    chosen = choose_problems([problem_of(row, name, "train") for row in shown], config.warm_up.rows, config.seed)
    answers = [worked_answer(one) if attempts is None else attempts[one.problem_id] for one in chosen]
    _check_worked(chosen, answers, row_of, data, config)
    return Demonstrations(tuple(chosen), tuple(answers), tuple(row_of[one.problem_id].identity for one in chosen))


def check_one_turn(config: Config) -> None:
    """Raise ConfigError where the answers of a domain have several turns: none can be shown as one text."""
    if find_domain(config.domain.name).has_tools:
        name = config.domain.name
        raise ConfigError(f"domain={name} has no worked answers of one turn: warm up on another program, by its traces")


def right_attempts(rows: Rows) -> dict[str, str]:
    """Return {problem_id: text} of the first right attempt at each problem, in one turn: rejection sampling."""
    found: dict[str, str] = {}
    graded = rows.graded
    for row in graded.where(graded.correct == 1):
        said = [message.content for message in row.messages if message.role == "assistant"]
        if len(said) == 1:
            found.setdefault(row.problem_id, said[0])
    return found


def warm_up(config: Config, policy: Path, shown: Demonstrations, out: Path) -> WarmedUp:
    """Write `policy`, trained on demonstrations as `config.warm_up` says, to the new directory `out`."""
    from evotrainer.engines.policy import not_finite, prepare_torch
    from evotrainer.engines.torch_engine import load_policy
    from evotrainer.training.torch.supervised import SupervisedSettings, fit_supervised

    if out.exists():
        raise PolicyError(f"{out} exists: use it as it is, or name another folder")
    prepare_torch(config.engine.num_threads, config.engine.device)
    environment = create_environment(config.domain)
    shown_pairs = zip(shown.problems, shown.answers, strict=True)
    pairs: list[Pair] = [(environment.reset(problem, 0), answer) for problem, answer in shown_pairs]
    loaded = load_policy(config, policy)
    settings, losses = config.warm_up, list[float]()
    batch = min(settings.batch, len(pairs))
    steps = max(1, settings.passes * len(pairs) // batch)
    engine = config.engine
    fitted = SupervisedSettings(
        steps, batch, settings.learning_rate, config.seed, engine.optimiser, engine.micro_batch_tokens
    )

    pace = Pace()

    def report(step: int, loss: float) -> None:
        losses.append(loss)
        pace.step(1)
        say(f"step {step}/{steps}  loss {loss:.3f}  {pace.left(steps - step)}")

    fit_supervised(loaded, pairs, fitted, report)
    if (broken := not_finite(loaded.model)) is not None:
        raise PolicyError(
            f"the warm-up ended in weights that are no numbers (first: {broken}): set warm_up.learning_rate lower"
        )
    with new_folder(out) as partial:
        loaded.save(partial)
        known = sorted({*shown.identities, *(read_demonstrated(policy) or ())})
        lines = (text.encode("unicode_escape").decode("ascii") for text in known)
        (partial / DEMONSTRATIONS_FILE).write_text("".join(f"{line}\n" for line in lines), encoding="ascii")
        (partial / "README.md").write_text(_card(config, policy, pairs), encoding="utf-8")
    return WarmedUp(policy_hash(out), losses)


def worked_answer(problem: Problem) -> str:
    """Return the worked answer of a problem as a policy is to write it; empty where it has none."""
    if problem.domain == "code":
        return f"```python\n{problem.answer.strip()}\n```" if problem.answer.strip() else ""
    return next((text.strip() for key in WORKED if isinstance(text := problem.data.get(key), str)), "")


def _check_worked(
    chosen: Sequence[Problem], answers: Sequence[str], row_of: dict[str, Row], data: Path, config: Config
) -> None:
    """Raise DataError where an answer is missing, or the domain's own grader does not take it for right."""
    if not chosen:
        raise DataError(f"{data} has no train problems: name a file or folder of problems with worked answers")
    grader = create_grader(config.domain)
    wrong: list[tuple[Problem, str]] = []
    for problem, text in zip(chosen, answers, strict=True):
        graded = grader.grade(problem, [Message(role="assistant", content=text)], "stop") if text else None
        if graded is None or not graded.correct:
            reason = "has none" if graded is None else "is wrong" if graded.format_ok else "lacks the asked form"
            wrong.append((problem, reason))
    if wrong:
        place = row_of[wrong[0][0].problem_id].place
        raise DataError(
            f"{len(wrong)} of {len(chosen)} demonstrations are no worked answers, like {place}, whose answer "
            f"{wrong[0][1]}: give each row a worked answer (`solution`) that the grader of "
            f"domain={config.domain.name} takes for right"
        )


def _card(config: Config, policy: Path, pairs: Sequence[Pair]) -> str:
    """Return the model card: what was shown, how, and the card of the policy before."""
    answers = hashlib.sha256("\0".join(answer for _, answer in pairs).encode()).hexdigest()[:16]
    threads = config.engine.num_threads or num_processors()
    known = {"base policy": policy_hash(policy), "worked answers": answers, "threads": threads}
    settings = asdict(config.warm_up) | {"seed": config.seed, "rows": len(pairs)}
    table = "".join(f"| {key} | {value} |\n" for key, value in (known | settings).items())
    header, before = split_card(policy / "README.md")
    return f"{header}# A policy after a supervised warm-up\n\n| setting | value |\n|---|---|\n{table}\n{before}"
