"""The ablation audit of single channels: a tool, a class of its arguments, a class of what it shows.

    channels that a version uses more ─► attempts without each ─► retention beside the base policy's
                                      └─► its calls again under the strictest access ─► surplus

A version that comes to depend on a channel has learned something, and the audit cannot tell good from bad by that. It
asks what the channel *gives*: the *surplus* is the share of its answers that the same calls do not get under the
strictest access of the domain, which is how the sealed split is attempted. A dependence on what sealed episodes lack is
an `invalid` finding of the mode `access_dependence`, answered as any other; every other dependence is information that
names the channel, for a person to decide (`domain.withheld_channels`). A domain with one access has no surplus.
"""

from collections import Counter
from collections.abc import Callable, Sequence

from evotrainer.domains.base import Environment
from evotrainer.domains.channels import Channel, of_answer, of_call, uses
from evotrainer.errors import InfrastructureError
from evotrainer.levers.ablation import DEPENDENT, LEAST_LOSS, SURE, Pair, lost
from evotrainer.records import Finding, Message, Problem, Trajectory

MODE = "channel_dependence"
MAX_CHANNELS = 3
"""Channels that one audit takes away."""
LEAST_RISE = 0.1
"""Share of attempts by which the use of a channel must have grown over the base policy's."""
LEAST_SURPLUS = 0.1
"""Share of answers that sealed episodes would not get, from which a dependence is no skill."""
REPLAYED = 16
"""Attempts whose calls are made again."""


def risen(own: Sequence[Trajectory], base: Sequence[Trajectory]) -> list[Channel]:
    """Return the channels whose use has grown most, one of those that the same attempts use: the plainest."""
    used, usual = _attempts_by_channel(own), _attempts_by_channel(base)
    grown = {
        channel: len(places) / max(1, len(own)) - len(usual.get(channel, ())) / max(1, len(base))
        for channel, places in used.items()
    }
    order = sorted((one for one in grown if grown[one] >= LEAST_RISE), key=lambda one: (-grown[one], _plainness(one)))
    kept: list[Channel] = []
    for channel in order:
        if all(used[channel] != used[other] for other in kept):
            kept.append(channel)
    return kept[:MAX_CHANNELS]


def share_of(rows: Sequence[Trajectory], channel: Channel) -> float:
    """Return the share of attempts that use a channel."""
    return sum(channel in set(uses(row.messages)) for row in rows) / max(1, len(rows))


def surplus(
    rows: Sequence[Trajectory], channel: Channel, environment: Callable[[], Environment], problems: Sequence[Problem]
) -> float:
    """Return the share of a channel's answers that differ when its episodes' calls are made again in `environment`."""
    by_id = {problem.problem_id: problem for problem in problems}
    using = [row for row in rows if row.problem_id in by_id and channel in set(uses(row.messages))][:REPLAYED]
    counts: Counter[bool] = Counter()
    for row in using:
        counts.update(_differences(row, channel, environment(), by_id[row.problem_id]))
    return counts[True] / max(1, counts.total())


def channel_finding(version: str, channel: Channel, own: Pair, base: Pair, extra: float) -> list[Finding]:
    """Return the finding that a version depends on a channel, or none; `extra` is the channel's surplus."""
    found = lost(own, base)
    if found is None:
        return []
    is_more = extra >= LEAST_SURPLUS
    gives = (
        f"{extra:.0%} of what it shows, sealed episodes do not get" if is_more else "sealed episodes have it as well"
    )
    return [
        Finding(
            mode=DEPENDENT if is_more else MODE,
            severity="invalid" if is_more else "info",
            diagnostic="channel_audit",
            version=version,
            message=f"without {channel} the version keeps {found['retention']:.0%} of its score and the base policy "
            f"{found['retention_of_base']:.0%} ({found['standard_errors']:.1f} standard errors apart): {gives}",
            numbers={**found, "surplus": round(extra, 6)},
            thresholds={"standard_errors": SURE, "least_loss": LEAST_LOSS, "least_surplus": LEAST_SURPLUS},
            reads_validation=True,
        )
    ]


def _attempts_by_channel(rows: Sequence[Trajectory]) -> dict[Channel, frozenset[int]]:
    found: dict[Channel, set[int]] = {}
    for place, row in enumerate(rows):
        for channel in uses(row.messages):
            found.setdefault(channel, set()).add(place)
    return {channel: frozenset(places) for channel, places in found.items()}


def _plainness(channel: Channel) -> tuple[int, Channel]:
    return ("tool", "argument", "answer").index(channel.kind), channel


def _differences(row: Trajectory, channel: Channel, environment: Environment, problem: Problem) -> list[bool]:
    """Return of each answer of a channel in an episode whether it differs when all calls are made again."""
    differ: list[bool] = []
    try:
        environment.reset(problem, row.seed)
        for place, message in enumerate(row.messages):
            if message.role != "assistant":
                continue
            shown = _answers(row.messages[place + 1 :])
            again, is_done = environment.step(message)
            for call, old, new in zip(message.tool_calls, shown, _answers(again), strict=False):
                if channel in {*of_call(call), of_answer(old)}:
                    differ.append(old.content != new.content)
            if is_done:
                break
    except InfrastructureError:  # what cannot be repeated says nothing
        return differ
    return differ


def _answers(messages: Sequence[Message]) -> list[Message]:
    """Return the tools' answers before the policy speaks again."""
    found = []
    for message in messages:
        if message.role == "assistant":
            break
        if message.role == "tool":
            found.append(message)
    return found
