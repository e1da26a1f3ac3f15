"""What a job leaves behind, as evidence: its groups in the steps that trained on them, and its signals.

OpenRLHF tells the agent function no step. Its trainer takes accepted groups in the order in which they were finished,
`sampling.problems_per_step` a step, so the order of the files gives the step of each; what a filter dropped belongs to
the step that was being filled. A group's file appears when its last attempt is graded. Loss, gradient and KL are in its
TensorBoard files alone.
"""

import math
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from google.protobuf.message import DecodeError
from tensorboardX.proto.event_pb2 import Event  # pyright: ignore[reportAttributeAccessIssue]  # made when imported

from evotrainer.actions.classifier import ActionClassifier
from evotrainer.errors import EvidenceError
from evotrainer.evidence.store import write_rows, write_signals
from evotrainer.records import Signals, TokenTurn, Trajectory
from evotrainer.training.openrlhf.groups import GroupFile, read_group, read_header

Step = list[GroupFile]

FIELDS = {
    "train/policy_loss": "loss",
    "train/actor_grad_norm": "grad_norm",
    "train/kl": "kl",
    "train/entropy_loss": "entropy",
    "train/ppo_clip_ratio": "clip_fraction",
}
"""Our field of each of OpenRLHF's numbers; all others keep their names, in `extra`."""
SECONDS = "train/timing/step_total"
GAP = "train/vllm_kl"
"""Mean of sampler minus trainer logprobs: exp(-gap) is their mean ratio, geometric; logged where mismatch is on."""
_HEAD, _TAIL = 12, 4
"""Bytes of a TFRecord around its data: the length of the data and a checksum, and a second checksum."""


@dataclass
class GroupFolder:
    """The files of groups, each header read once."""

    path: Path
    _known: dict[Path, GroupFile] = field(default_factory=dict)

    def groups(self) -> list[GroupFile]:
        """Return all groups, in the order in which they were finished."""
        for path in self.path.glob("*.jsonl"):
            if path not in self._known:
                self._known[path] = read_header(path)
        return sorted(self._known.values(), key=lambda group: (group.finished, group.draw))

    def keep(self, groups: Sequence[GroupFile]) -> None:
        """Remove all files but these: episodes after the checkpoint from which a job goes on are played again."""
        kept = {group.path for group in groups}
        for path in list(self.path.glob("*.jsonl")):
            if path not in kept:
                path.unlink()
        self._known = {group.path: group for group in groups}


def steps_of(groups: Sequence[GroupFile], problems_per_step: int) -> list[Step]:
    """Return the groups of each step; those of the last may not be complete."""
    steps: list[Step] = [[]]
    num_accepted = 0
    for group in groups:
        if num_accepted == problems_per_step:
            steps.append([])
            num_accepted = 0
        steps[-1].append(group)
        num_accepted += group.is_accepted
    return steps


def complete_steps(steps: Sequence[Step], problems_per_step: int) -> list[Step]:
    """Return the steps whose groups are all there."""
    return [step for step in steps if sum(group.is_accepted for group in step) == problems_per_step]


def write_evidence(
    steps: Sequence[Step], events: Path, out: Path, names: tuple[str, str], classifier: ActionClassifier, has_kl: bool
) -> list[Signals]:
    """Write rows and signals of the steps into `out`, and return the signals; `names`: campaign and version."""
    logged = logged_numbers(events)
    signals = []
    for number, step in enumerate(steps):
        rows: list[Trajectory] = []
        turns: list[TokenTurn] = []
        for group in sorted(step, key=lambda group: group.draw):
            members, said = read_group(group.path)
            rows += [row.model_copy(update={"step": number}) for row in members]
            turns += said
        write_rows(out, number, rows, turns, classifier)
        signals.append(_signals(number, step, rows, logged.get(number, {}), names, has_kl=has_kl))
    write_signals(out, signals)
    return signals


def logged_numbers(events: Path) -> dict[int, dict[str, float]]:
    """Return {step: {tag: value}}; OpenRLHF's first step is ours 0. What a resumed job logged again replaces.

    Raises:
        EvidenceError: a file is no TensorBoard file.

    """
    logged: dict[int, dict[str, float]] = {}
    for path in sorted(events.rglob("events.out.tfevents.*"), key=lambda path: (path.name.split(".")[3], path.name)):
        for record in _records(path):
            try:
                event = Event.FromString(record)
            except DecodeError:
                raise EvidenceError(f"{path} is no TensorBoard event file: remove it") from None
            numbers = {each.tag: each.simple_value for each in event.summary.value if each.HasField("simple_value")}
            if numbers:
                logged.setdefault(event.step - 1, {}).update(numbers)
    return logged


def _records(path: Path) -> Iterator[bytes]:
    """Yield the records of a file; a job that is killed leaves a last one cut short, which is left out."""
    data = path.read_bytes()
    place = 0
    while place + _HEAD <= len(data):
        (length,) = struct.unpack_from("<Q", data, place)
        end = place + _HEAD + length
        if end + _TAIL > len(data):
            return
        yield data[place + _HEAD : end]
        place = end + _TAIL


def _signals(
    number: int,
    step: Step,
    rows: Sequence[Trajectory],
    logged: dict[str, float],
    names: tuple[str, str],
    *,
    has_kl: bool,
) -> Signals:
    """Return one row; what OpenRLHF did not measure is NaN, which diagnostics take for not known."""
    values = {ours: logged.get(tag, math.nan) for tag, ours in FIELDS.items()}
    if not has_kl:
        values["kl"] = math.nan
    counted = [group for group in step if group.num_counted]
    rewards = [row.reward for row in rows if row.reward is not None]
    own = {
        "reward": sum(rewards) / max(len(rewards), 1),
        "num_groups": float(len(counted)),
        "num_errors": float(sum(row.error is not None for row in rows)),
    }
    others = {f"openrlhf/{tag}": value for tag, value in logged.items() if tag not in FIELDS}
    return Signals(
        campaign=names[0],
        version=names[1],
        step=number,
        mean_ratio=math.exp(-logged[GAP]) if GAP in logged else math.nan,
        dead_group_ratio=sum(group.is_dead for group in counted) / max(len(counted), 1),
        kept_groups=sum(group.is_kept for group in counted) / max(len(counted), 1),
        num_tokens=sum(group.num_tokens for group in step),
        seconds=logged.get(SECONDS, 0.0),
        extra=own | others,
        **values,
    )
