"""`evotrainer compare A B`: two policies by graded attempts at the same problems, or by a prompt put to both."""

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.common import Columns, Json, named_path, print_json, print_rows, print_table, version_of
from evotrainer.campaign.untrusted import escape
from evotrainer.errors import ConfigError, EvidenceError, PolicyError

SHOWN = 5
"""Problems that are listed on each side of a comparison."""
UNDECIDED = 0.05
"""From this p on, what would decide is said unasked."""
TEXT = 1_500
"""Characters of a message that a transcript shows."""
SAMPLED, TOKENS = 3, 256
"""Sampled answers to a prompt beside the greedy one, and their longest."""

MAX_GAIN = 1e6
"""A difference of means that is larger is a slip."""


def compare(
    first: Annotated[Path, typer.Argument(parser=named_path, metavar="A", help="Attempts: a file, folder or pattern.")],
    second: Annotated[Path, typer.Argument(parser=named_path, metavar="B", help="Attempts of the other policy.")],
    source: Annotated[str, typer.Option("--from", help="Their format; without it, it is recognised.")] = "",
    columns: Columns = None,
    gain: Annotated[
        float | None, typer.Option("--plan", help="Say what would show a true difference of so much, like 0.03.")
    ] = None,
    state: Annotated[
        Path | None,
        typer.Option("--sequential", help="A state file, for files that grow: look after every batch at one error."),
    ] = None,
    ask: Annotated[
        str, typer.Option("--ask", help="Put a prompt to both: A and B are folders of policies, or NAME:v003.")
    ] = "",
    show: Annotated[
        int, typer.Option("--show", min=0, max=10_000, help="Print transcripts of so many changed problems.")
    ] = 0,
    json: Json = False,
) -> None:
    """Say whether policy B is better than policy A, how sure that is, and what would decide it."""
    from cli.diagnose import mapping_of
    from evotrainer.evidence.foreign.reading import read_foreign_rows
    from evotrainer.evidence.pairing import measure_of, side
    from evotrainer.promotion.side_by_side import compared, plan

    if ask:
        _ask(str(first), str(second), ask, json)
        return
    if gain is not None and not 0 < gain < MAX_GAIN:
        raise ConfigError(f"--plan {gain} is no difference of means: give one above 0, like 0.03")
    mapping = mapping_of(columns)
    rows = [read_foreign_rows(path, source, mapping).rows for path in (first, second)]
    measure = measure_of(rows[0], rows[1])
    sides = [side(str(path), one, measure) for path, one in zip((first, second), rows, strict=True)]
    if state is not None:
        _look(state, sides[0], sides[1], measure, json)
        return
    found, changes = compared(sides[0], sides[1], measure)
    if gain is not None and found.is_share and gain >= 1:
        raise ConfigError(f"--plan {gain:g} is no difference of shares: give one between 0 and 1, like 0.03")
    asked = gain if gain is not None else abs(found.difference) if found.p >= UNDECIDED else 0.0
    planned = plan(found, asked) if asked or gain is not None else None
    if json:
        shown = [{"problem": one.problem, "A": one.first, "B": one.second} for one in changes]
        print_json(found.model_dump(mode="json") | {"changes": shown, "plan": planned})
        return
    _print(found, planned, asked)
    _print_changes(changes)
    for one in changes[:show]:
        for name, one_side, place in zip("AB", sides, one.places, strict=True):
            _print_transcript(f"{name}: {one.problem}", one_side, place)


def _ask(first: str, second: str, prompt: str, json: bool) -> None:
    """Print what two policies answer, greedy and sampled, beside each other."""
    from evotrainer.rollouts.evaluation import answers

    found = [answers(_opened(name), prompt, SAMPLED, TOKENS) for name in (first, second)]
    if json:
        print_json({"prompt": prompt, "A": found[0], "B": found[1]})
        return
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, show_lines=True)
    for head in ("", f"A: {first}", f"B: {second}"):
        table.add_column(Text(escape(head)), overflow="fold")
    for place, pair in enumerate(zip(*found, strict=True)):
        table.add_row(f"sampled {place}" if place else "greedy", *map(Text, map(escape, pair)))
    print_table(table)


def _opened(name: str) -> Any:
    """Return an engine with a policy: of a folder, or of a campaign's version."""
    from conf.compose import compose_campaign, load_campaign
    from evotrainer.engines import create_rollout_engine
    from evotrainer.rollouts.evaluation import open_version

    campaign, _, version = name.rpartition(":")
    if campaign and not Path(name).exists():
        files, own = version_of(campaign, version)
        config = load_campaign(files)
        config.engine.rollout = "torch"
        return open_version(files, config, own.root.name)
    if not (Path(name) / "config.json").is_file():
        raise PolicyError(f"{name} holds no policy: name a Hugging Face directory, or a version like NAME:v003")
    config = compose_campaign([])
    config.policy.path = str(Path(name).resolve())
    return create_rollout_engine(config, Path(name).resolve())


def _print(found: Any, planned: tuple[int, int | None] | None, asked: float) -> None:
    """Print scores, difference and what it is worth."""
    level, points = (_percent, _points) if found.is_share else (_plain, _signed)
    rows = [("score, mean over problems", *map(level, found.scores))]
    rows += [(f"pass@{found.pass_k}", *map(level, found.passed))] if found.passed else []
    rows += [("greedy", *map(level, found.greedy))] if any(one is not None for one in found.greedy) else []
    rows += [("graded attempts", *map(str, found.attempts)), ("lost attempts", *map(str, found.lost))]
    print_rows([found.measure, "A", "B"], rows)
    span = f"[{points(found.low)}, {points(found.high)}], 95%, over {found.num_problems} problems of both"
    print(f"B - A: {points(found.difference)} {span}")
    print(f"{_verdict(found.low, found.high)}: equal policies show a difference as large with p = {found.p:.3g}")
    if found.visible:  # else nothing spreads
        print(f"these attempts show a true difference of {level(found.visible)} in four comparisons of five")
    if planned and found.visible:
        problems, attempts = planned
        more = f", or {attempts} attempts at each of these" if attempts else "; more attempts at these would not do"
        print(f"to show {level(asked)}: {problems} problems like these{more}")
    for note in found.notes:
        print(f"note: {note}")


def _print_changes(changes: list[Any]) -> None:
    """Print the problems that changed most, each way."""
    for word, part in (
        ("gained", [one for one in changes if one.difference > 0]),
        ("lost", [one for one in changes if one.difference < 0]),
    ):
        print(f"{word}: {len(part)} of {len(changes)} problems")
        if part:
            cells = [[one.problem[:60], _share(one.first), _share(one.second)] for one in part[:SHOWN]]
            print_rows([word, "A", "B"], cells)


def _print_transcript(title: str, side: Any, place: int) -> None:
    (row,) = side.rows.records([place])
    print(f"--- {title}  {row.trajectory_id}, {side.values[place]:.3g}")
    for message in row.messages:
        calls = "".join(f" [{call.name} {call.arguments}]" for call in message.tool_calls)
        text = message.content if len(message.content) <= TEXT else f"{message.content[:TEXT]} ..."
        print(f"{message.role}: {text}{calls}")


def _look(path: Path, first: Any, second: Any, measure: str, json: bool) -> None:
    """Count what is new, keep the state, and print bounds that hold after every look."""
    from evotrainer.campaign.documents import write_atomic
    from evotrainer.config.yaml_files import why_unreadable
    from evotrainer.promotion.side_by_side import Watch, watched

    names = (first.name, second.name)
    watch = Watch(sides=names, measure=measure)
    if os.path.lexists(path):
        if reason := why_unreadable(path):
            raise EvidenceError(reason)
        try:
            watch = Watch.model_validate_json(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise EvidenceError(f"{path} is no state of a comparison: name another file") from error
    if (watch.sides, watch.measure) != (names, measure):
        raise EvidenceError(
            f"{path} watches {watch.sides[0]} and {watch.sides[1]} by {watch.measure}: name another file"
        )
    after, missing = watched(watch, first, second)
    write_atomic(path, after.model_dump_json(indent=1))
    bounds = after.bounds()
    if json:
        print_json({"batches": len(after.rounds), "waits_for": missing, **bounds._asdict()})
        return
    if len(after.rounds) == len(watch.rounds):
        print(f"no batch is counted: {missing} times a problem has no new graded attempt on a side")
    verdict = _verdict(bounds.low, bounds.high)
    span = f"[{_points(bounds.low)}, {_points(bounds.high)}]"
    num = len(after.rounds)
    print(f"after {num} batch{'' if num == 1 else 'es'} B - A: {_points(bounds.value)} {span}: {verdict}")
    print("these bounds hold at 95% after all batches at once: look as often as you like, stop when you like")


def _verdict(low: float, high: float) -> str:
    return "B is better" if low > 0 else "A is better" if high < 0 else "not decided"


def _plain(value: float | None) -> str:
    return "" if value is None else f"{value:.4g}"


def _signed(value: float) -> str:
    return f"{value:+.4g}"


def _percent(value: float | None) -> str:
    return "" if value is None else f"{value:.1%}"


def _points(value: float) -> str:
    return f"{100 * value:+.1f} pp"


def _share(side: tuple[float, int]) -> str:
    return f"{side[0]:.2f} of {side[1]}"
