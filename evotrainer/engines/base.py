"""What an engine must do: run a policy, and train one.

RolloutEngine.generate takes prompt token ids and returns token ids with their logprobs: nothing is re-tokenised.
TrainEngine.fit owns its whole training loop (OpenRLHF cannot be stepped), writes evidence and signals as it goes, and
must give the same bytes for the same arguments on one machine.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from evotrainer.config import Config
from evotrainer.records import Message, Problem, TokenTurn, Trajectory


@dataclass(frozen=True)
class SamplingParams:
    """How tokens are drawn. Temperature 0 is greedy."""

    max_tokens: int
    temperature: float = 1.0
    top_p: float = 1.0


@dataclass(frozen=True)
class Completion:
    """Sampled tokens of one prompt; `logprobs` in nats, under the untempered policy. Stops: stop or max_tokens."""

    token_ids: tuple[int, ...]
    logprobs: tuple[float, ...]
    stop_reason: str


class ChatCodec(Protocol):
    """Messages to token ids and back, by the policy's own chat template."""

    def encode(self, messages: Sequence[Message]) -> list[int]:
        """Return prompt ids that end where the assistant's turn begins; raises DataError for an unknown character."""
        ...

    def extend(self, context: Sequence[int], sampled: Sequence[int], messages: Sequence[Message]) -> list[int]:
        """Return the next turn's prompt: both id lists as they are, then the ids of the new messages."""
        ...

    def decode(self, token_ids: Sequence[int]) -> Message:
        """Return the assistant message, tool calls parsed."""
        ...


class RolloutEngine(Protocol):
    """Runs a policy."""

    codec: ChatCodec
    policy_id: str
    """Content hash of the loaded weights."""

    def generate(
        self, prompts: Sequence[Sequence[int]], sampling: SamplingParams, seeds: Sequence[int]
    ) -> list[Completion]:
        """Return one completion a prompt; each draws from its own generator, so the result ignores batching order."""
        ...

    def sync(self, path: Path) -> None:
        """Load the weights at `path` and check a logprob canary; raises PolicyError if they did not arrive."""
        ...


@dataclass(frozen=True)
class FitResult:
    """How a training run ended."""

    model_path: Path
    num_steps: int
    num_tokens: int
    label: str = ""
    """Empty, or the failure: train_budget_overrun."""
    policy_hash: str = ""
    """Content hash of the model; empty where the run failed."""


@dataclass(frozen=True)
class StepReplay:
    """One optimiser step of a recipe on a cached batch, from the same start. Margins in nats a token."""

    grad_norm: float
    update_norm: float
    cosine: float
    """Between this gradient and the first recipe's."""
    margin_change: float
    """Change of mean logprob of correct minus wrong attempts, on the half of the batch not trained on."""
    kl: float
    clip_fraction: float


class TrainEngine(Protocol):
    """Trains a policy."""

    def fit(
        self,
        config: Config,
        init_path: Path,
        problems: Sequence[Problem],
        out: Path,
        *,
        campaign: str,
        version: str,
        seed: int,
        pass_rates: dict[str, float],
        scratch: Path,
    ) -> FitResult:
        """Train from `init_path`; write out/model (Hugging Face directory) and out/training (evidence, signals).

        Where the domain names a judge, its answers are recorded in out/judge/train.jsonl, or replayed from there.

        `pass_rates` maps problem_id to the cached pass rate, for curricula. `scratch` keeps optimiser and RNG state
        for resumption, keyed by the recipe: a resumed run equals an undisturbed one bit by bit.
        """
        ...

    def replay_step(
        self, configs: Sequence[Config], init_path: Path, rows: Sequence[Trajectory], tokens: Sequence[TokenTurn]
    ) -> list[StepReplay]:
        """Return what one step of each recipe on these cached rows would do."""
        ...
