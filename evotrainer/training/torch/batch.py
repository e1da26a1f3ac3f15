"""What an update consumes: one token sequence a trajectory, with the sampled logprobs and a mask of what was sampled.

The turns of a trajectory are joined, never re-tokenised: each turn's prompt must begin with all ids before it.
Attempts at one prompt are computed in one row where the policy can (engines/packing.py): the prompt once, then each
attempt's own tokens. Of several turns the first prompt is shared; what tools answered belongs to the attempt.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

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

    @property
    def num_prompt(self) -> int:
        """Tokens before the first that the policy sampled."""
        return self.mask.index(1.0) if 1.0 in self.mask else len(self.mask)


@dataclass(frozen=True)
class TokenBatch:
    """Padded sequences; T counts positions of ids[1:], the tokens that are predicted."""

    ids: Tensor  # [B, T+1]
    old: Tensor  # [B, T] logprobs when sampled
    mask: Tensor  # [B, T] floats
    advantages: Tensor  # [B]
    before: Tensor | None = None  # [B, T] logprobs before the batch's first step; None: those of the pass itself
    rows: list[int] | None = None
    """The row of each sequence, where those of one row share their prompt; None: each has its own."""
    sequences: Sequence[TokenSequence] = ()

    @property
    def is_sampled(self) -> Tensor:
        """Where a sampled token stands, [B, T] of booleans; N of them."""
        return self.mask > 0

    def first_row(self) -> "TokenBatch":
        """Return the sequences of the first row."""
        count = self.rows.count(self.rows[0]) if self.rows else 1
        parts = (part[:count] for part in (self.ids, self.old, self.mask, self.advantages))
        return TokenBatch(*parts, rows=self.rows and self.rows[:count], sequences=self.sequences[:count])

    def spread(self, values: Tensor) -> Tensor:
        """Return values [N] of the sampled tokens at their places, [B, T], with zeros elsewhere."""
        placed = values.new_zeros(self.mask.shape)
        placed[self.is_sampled] = values
        return placed


Row = list[TokenSequence]
"""Sequences that are computed in one row: attempts at one prompt, or one sequence."""


@dataclass(frozen=True)
class MicroBatch:
    """How much one forward and backward pass takes: so many rows, or tokens with padding where `tokens` is not 0."""

    rows: int = 32
    tokens: int = 0
    shares_prompts: bool = False
    """Whether a row holds a prompt once and as many attempts at it as `tokens` allows."""

    def split(self, sequences: Sequence[TokenSequence]) -> list[list[Row]]:
        """Return the passes; equal input gives equal passes. A row that is longer than `tokens` is a pass of its own.

        Rows are taken in order of length, so that little is padded.
        """
        passes: list[list[Row]] = []
        for row in sorted(self._rows(sequences), key=_width):
            if not passes or not self._holds(len(passes[-1]) + 1, row):
                passes.append([])
            passes[-1].append(row)
        return passes

    def _holds(self, count: int, longest: Row) -> bool:
        return count * _width(longest) <= self.tokens if self.tokens else count <= self.rows

    def _rows(self, sequences: Sequence[TokenSequence]) -> list[Row]:
        if not self.shares_prompts:
            return [[sequence] for sequence in sequences]
        groups: dict[tuple[int, ...], list[Row]] = {}
        for sequence in sequences:
            rows = groups.setdefault(tuple(sequence.ids[: sequence.num_prompt]), [[]])
            if rows[-1] and _width([*rows[-1], sequence]) > self.tokens:
                rows.append([])
            rows[-1].append(sequence)
        return [row for rows in groups.values() for row in rows]


def _width(row: Row) -> int:
    prompt = row[0].num_prompt if len(row) > 1 else 0
    return prompt + sum(len(sequence.ids) - prompt for sequence in row)


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
    """Yield all sequences in batches within the limit."""
    for rows in limit.split(sequences):
        is_shared = any(len(row) > 1 for row in rows)
        numbers = [number for number, row in enumerate(rows) for _ in row] if is_shared else None
        yield pad([sequence for row in rows for sequence in row], device, numbers)


def pad(sequences: Sequence[TokenSequence], device: torch.device, rows: list[int] | None = None) -> TokenBatch:
    """Return the sequences padded on the right to the longest."""

    def padded(values: Iterable[Sequence[float]], dtype: torch.dtype = torch.float) -> Tensor:
        return pad_sequence([torch.tensor(each, dtype=dtype) for each in values], batch_first=True).to(device)

    known = [sequence.before for sequence in sequences if sequence.before is not None]
    return TokenBatch(
        ids=padded((sequence.ids for sequence in sequences), torch.long),
        old=padded(sequence.logprobs for sequence in sequences)[:, 1:],
        mask=padded(sequence.mask for sequence in sequences)[:, 1:],
        advantages=torch.tensor([sequence.advantage for sequence in sequences]).to(device),
        before=padded(known)[:, 1:] if len(known) == len(sequences) else None,
        rows=rows,
        sequences=sequences,
    )
