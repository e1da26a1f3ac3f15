"""What an update consumes: one token sequence a trajectory, with the sampled logprobs and a mask of what was sampled.

The turns of a trajectory are joined, never re-tokenised: each turn's prompt must begin with all ids before it.
Sequences are padded on the right and taken in order of length, so that little is padded.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from evotrainer.errors import EvidenceError
from evotrainer.records import TokenTurn, Trajectory


@dataclass(frozen=True)
class TokenSequence:
    """One trajectory. `logprobs` and `mask` align with `ids`: 0 where a token was not sampled."""

    ids: list[int]
    logprobs: list[float]
    mask: list[float]
    advantage: float
    before: list[float] | None = None
    """Logprobs of the trained policy before the batch's first step, aligned likewise."""

    @property
    def num_sampled(self) -> int:
        """Tokens that the policy sampled."""
        return int(sum(self.mask))


@dataclass(frozen=True)
class TokenBatch:
    """Padded sequences; T counts positions of ids[1:], the tokens that are predicted."""

    ids: Tensor  # [B, T+1]
    old: Tensor  # [B, T] logprobs when sampled
    mask: Tensor  # [B, T] floats
    advantages: Tensor  # [B]
    before: Tensor | None = None  # [B, T] logprobs before the batch's first step; None: those of the pass itself

    @property
    def is_sampled(self) -> Tensor:
        """Where a sampled token stands, [B, T] of booleans; N of them."""
        return self.mask > 0

    def spread(self, values: Tensor) -> Tensor:
        """Return values [N] of the sampled tokens at their places, [B, T], with zeros elsewhere."""
        placed = values.new_zeros(self.mask.shape)
        placed[self.is_sampled] = values
        return placed


@dataclass(frozen=True)
class MicroBatch:
    """How much one forward and backward pass takes."""

    trajectories: int
    tokens: int = 0
    """Tokens of a pass, which then decide; a longer sequence is a pass of its own."""
    is_packed: bool = False
    """Whether sequences lie end to end, so that no padding counts."""

    def holds(self, ordered: Sequence[TokenSequence]) -> bool:
        """Return whether these sequences, the longest last, fit into one pass."""
        if not self.tokens:
            return len(ordered) <= self.trajectories
        if self.is_packed:
            return sum(len(sequence.ids) for sequence in ordered) <= self.tokens
        return len(ordered) * len(ordered[-1].ids) <= self.tokens


def sequences_in_loss(rows: Sequence[Trajectory], turns: Sequence[TokenTurn]) -> list[TokenSequence]:
    """Return the sequences of the rows that are in the loss and have sampled tokens, in the rows' order."""
    by_row = turns_by_row(turns)
    return [
        join_turns(by_row[row.trajectory_id], row.advantage or 0.0)
        for row in rows
        if row.in_loss and row.num_tokens and row.trajectory_id in by_row
    ]


def turns_by_row(turns: Sequence[TokenTurn]) -> dict[str, list[TokenTurn]]:
    """Return the turns of each trajectory, in order."""
    found: dict[str, list[TokenTurn]] = {}
    for turn in turns:
        found.setdefault(turn.trajectory_id, []).append(turn)
    return {row: sorted(members, key=lambda turn: turn.turn) for row, members in found.items()}


def join_turns(turns: Sequence[TokenTurn], advantage: float) -> TokenSequence:
    """Return the turns of one trajectory as one sequence; raises EvidenceError where a prompt was re-tokenised."""
    ids: list[int] = []
    logprobs: list[float] = []
    mask: list[float] = []
    for turn in turns:
        if turn.prompt_ids[: len(ids)] != ids:
            raise EvidenceError(
                f"turn {turn.turn} of {turn.trajectory_id} does not continue the ids before it: re-tokenised rows "
                "cannot be trained on"
            )
        num_new = len(turn.prompt_ids) - len(ids)
        in_loss = float(turn.in_loss)
        ids = [*turn.prompt_ids, *turn.token_ids]
        logprobs += [0.0] * num_new + list(turn.logprobs)
        mask += [0.0] * num_new + [in_loss] * len(turn.token_ids)
    return TokenSequence(ids, logprobs, mask, advantage)


def padded_batches(sequences: Sequence[TokenSequence], limit: MicroBatch, device: torch.device) -> Iterator[TokenBatch]:
    """Yield all sequences in batches within the limit, by length; equal input gives equal batches."""
    part: list[TokenSequence] = []
    for sequence in sorted(sequences, key=lambda sequence: len(sequence.ids)):
        if part and not limit.holds([*part, sequence]):
            yield pad(part, device)
            part = []
        part.append(sequence)
    if part:
        yield pad(part, device)


def pad(sequences: Sequence[TokenSequence], device: torch.device) -> TokenBatch:
    """Return the sequences padded on the right to the longest."""
    longest = max(len(sequence.ids) for sequence in sequences)
    ids = torch.zeros(len(sequences), longest, dtype=torch.long)
    old, mask = torch.zeros(len(sequences), longest), torch.zeros(len(sequences), longest)
    for row, sequence in enumerate(sequences):
        length = len(sequence.ids)
        ids[row, :length] = torch.tensor(sequence.ids)
        old[row, :length] = torch.tensor(sequence.logprobs)
        mask[row, :length] = torch.tensor(sequence.mask)
    advantages = torch.tensor([sequence.advantage for sequence in sequences])
    return TokenBatch(
        ids.to(device),
        old[:, 1:].to(device),
        mask[:, 1:].to(device),
        advantages.to(device),
        _before(sequences, old, device),
    )


def _before(sequences: Sequence[TokenSequence], old: Tensor, device: torch.device) -> Tensor | None:
    """Return the logprobs before the first step, [B, T]; None where they were not computed."""
    before = torch.zeros_like(old)
    for row, sequence in enumerate(sequences):
        if sequence.before is None:
            return None
        before[row, : len(sequence.ids)] = torch.tensor(sequence.before)
    return before[:, 1:].to(device)
