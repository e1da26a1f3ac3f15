"""What a worker needs to play episodes, as a JSON file: the recipe, the problems, the policy's codec, where rows go."""

import json
import socket
from dataclasses import dataclass
from pathlib import Path

from evotrainer.campaign.answers import merge_record
from evotrainer.campaign.atomic import write_json_atomic
from evotrainer.config import Config, config_from_dict, config_to_dict
from evotrainer.records import Problem

KNOWN_ANSWERS = "known.jsonl"


@dataclass(frozen=True)
class WorkerSpec:
    """The same for all workers of a run."""

    config: Config
    problems: dict[str, Problem]
    campaign: str
    version: str
    seed: int
    policy_id: str
    codec_path: Path
    """A Hugging Face directory, of which tokenizer and chat template are read."""
    rows_path: Path
    judge_path: Path
    """Folder of the judge's answers, one file a worker."""

    def write(self, path: Path) -> None:
        """Write the specification."""
        values = {
            "config": config_to_dict(self.config),
            "problems": [problem.model_dump() for problem in self.problems.values()],
            "campaign": self.campaign,
            "version": self.version,
            "seed": self.seed,
            "policy_id": self.policy_id,
            "codec_path": str(self.codec_path),
            "rows_path": str(self.rows_path),
            "judge_path": str(self.judge_path),
        }
        write_json_atomic(path, values)

    @classmethod
    def read(cls, path: Path) -> "WorkerSpec":
        """Read what `write` wrote."""
        values = json.loads(path.read_text(encoding="utf-8"))
        problems = [Problem(**problem) for problem in values.pop("problems")]
        paths = {name: Path(values.pop(name)) for name in ("codec_path", "rows_path", "judge_path")}
        config = config_from_dict(values.pop("config"))
        return cls(config=config, problems={each.problem_id: each for each in problems}, **paths, **values)

    def judge_record(self, process: int) -> Path:
        """Return the record of one worker's judge, which holds the answers known before."""
        record = self.judge_path / f"{socket.gethostname()}-{process}.jsonl"
        merge_record(self.judge_path / KNOWN_ANSWERS, record)
        return record
