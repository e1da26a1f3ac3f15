"""Everything that EvoTrainer raises on purpose.

    EvoTrainerError
    ├── ConfigError          a key, value or override that cannot be used, or a harness that cannot be assembled
    │   └── InterventionError    a diff that breaks a rule: several factors, a protected key, a duplicate
    ├── DataError            a problem set that is malformed, altered or leaks across splits
    ├── CodeError            code of an intervention raised, took too much, or answered what is no value
    ├── EvidenceError        a trajectory file that is malformed or corrupt, or a query that is refused
    ├── PolicyError          a checkpoint that cannot be loaded or does not fit, or training that gave none
    ├── LineageError         an unknown campaign or version, or a campaign that is already running
    ├── AgentError           the trainer agent cannot go on: no key, a refused key or model, no usable answer
    ├── BudgetError          the campaign has spent what it may, or the next question could cost more than is left
    └── InfrastructureError  the environment, grader or machine failed: masked from the loss, never a reward of 0
        ├── AgentUnavailableError  the endpoint of the trainer agent's model is not there, overloaded or garbled
        ├── EndpointError        a chat endpoint refuses, or gave no answer that can be used
        ├── GraderError          the grader itself failed on a trajectory
        ├── RolloutError         a completion that its server did not deliver: the episode is lost
        ├── ServerLostError      the server that runs the policy is gone: the stage ends, and can be run again
        └── SandboxError         no sandbox can be had on this machine, or a sandbox failed

A bad rollout is data, not an error. Each message is one line that tells the person what to do.
"""

import errno
import os

RETRY_STATUS = 75
"""Exit status of a stage that the machine failed, or whose budget could not be watched: it is tried once more."""
BUDGET_STATUS = 78
"""Exit status of a stage or a command that ended with a BudgetError: repeated, it ends so again."""


class EvoTrainerError(Exception):
    """Base of all errors raised on purpose; the command line prints its message as one line and exits 1."""


class ConfigError(EvoTrainerError):
    """A key, value or override that cannot be used, or a harness that cannot be assembled."""


class InterventionError(ConfigError):
    """A diff that changes several factors, touches a protected key, or repeats an earlier effective config."""


class DataError(EvoTrainerError):
    """A problem set that is malformed, altered or leaks across splits."""


class CodeError(EvoTrainerError):
    """Code of an intervention that raised, took too much, or answered what is no value: never a reward of 0."""


class EvidenceError(EvoTrainerError):
    """A trajectory file that is malformed or corrupt, or a query that is refused."""


class PolicyError(EvoTrainerError):
    """A checkpoint that cannot be loaded, does not match its hash or does not fit, or training that gave none."""


class LineageError(EvoTrainerError):
    """An unknown campaign or version, or a campaign that is already running."""


class AgentError(EvoTrainerError):
    """The trainer agent cannot go on: no key, a refused key or model, or an answer that cannot be used."""


class BudgetError(EvoTrainerError):
    """The campaign has spent what it may (budget.total), or a question to a model could cost more than is left."""


class InfrastructureError(EvoTrainerError):
    """The environment, grader or machine failed: the trajectory is masked and counted, never scored 0."""


class AgentUnavailableError(InfrastructureError):
    """The endpoint of the trainer agent's model is not there, is overloaded, or gives no whole answer."""


class EndpointError(InfrastructureError):
    """A chat endpoint gave no answer that can be used; `status` is that of its refusal, 0 without one."""

    def __init__(self, message: str, status: int = 0) -> None:
        super().__init__(message)
        self.status = status


class GraderError(InfrastructureError):
    """The grader itself failed on a trajectory."""


class RolloutError(InfrastructureError):
    """A server did not deliver a completion in time or whole: its episode is lost, and counted."""


class ServerLostError(InfrastructureError):
    """The server that runs the policy is gone: no episode can go on, and the stage ends without outputs."""


class SandboxError(InfrastructureError):
    """No sandbox can be had on this machine, or one failed; a program that outruns its limits is an Execution."""


REMEDIES = {
    errno.ENOSPC: "The disk is full: free some space",
    errno.EDQUOT: "The quota of this disk is used up: delete files, or have it raised",
    errno.EROFS: "The disk is read-only: make it writable",
}
"""{number of a system's error: what a person has to do before anything can be written again}."""


def with_remedy(text: str) -> str:
    """Return what failed, and what is needed where the system refused to write; git and DVC pass its words on."""
    words = {os.strerror(number): one for number, one in REMEDIES.items()}
    words["Out of diskspace"] = REMEDIES[errno.ENOSPC]  # as git calls it
    needed = next((one for said, one in words.items() if said in text), "")
    return f"{text.rstrip('.')}. {needed}, then repeat the same command" if needed else text


def is_shortage(error: Exception) -> bool:
    """Tell whether memory ran out; torch has errors of its own for that, safetensors the system's words."""
    is_named = isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError"
    return is_named or any(words in str(error) for words in ("can't allocate memory", os.strerror(errno.ENOMEM)))
