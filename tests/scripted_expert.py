"""Models behind a real endpoint: one that reads before it proposes, and one that obeys whatever it reads."""

import json
import re
from typing import Any

from tests.messages_server import Reply, message, results_in, text, use

DIAGNOSIS = {"bottleneck": "steps too small", "reasoning": "the run hardly moves", "evidence": ["dead_groups"]}


def candidate(setting: dict[str, Any], size: float = 0.05, **more: Any) -> dict[str, Any]:
    """Return a candidate of the `propose` tool."""
    prediction = {
        "metric": "score",
        "direction": "up" if size > 0 else "down",
        "size": size,
        "low": -0.05,
        "high": 0.2,
        "probability": 0.6,
    }
    return {"setting": setting, "because": "kl 0.004 leaves room for it", "prediction": prediction, **more}


def propose(*candidates: dict[str, Any]) -> dict[str, Any]:
    """Return the call that ends a conversation."""
    return use("propose", diagnosis=DIAGNOSIS, candidates=list(candidates))


class Expert:
    """Reads the opening, evidence, one trajectory and the lineage; keys and numbers come from the results alone."""

    def __init__(self) -> None:
        self.results: list[list[dict[str, Any]]] = []
        self.modes: list[str] = []

    def __call__(self, body: dict[str, Any], number: int) -> Reply:
        found = results_in(body) if len(body["messages"]) > 1 else []
        self.results.append(found)
        match len(body["messages"]) // 2:
            case 0:
                sql = "SELECT trajectory_id, avg(correct) OVER () AS solved FROM all_trajectories ORDER BY 1 LIMIT 2"
                return message(text("First the evidence."), use("query", sql=sql))
            case 1:
                opening = body["messages"][0]["content"][0]["text"]
                self.modes = [mode for mode in ("dead_groups",) if f"warning {mode} " in opening]
                rate = float(re.findall(r"algorithm.learning_rate=([\d.e-]+)", opening)[0])
                self.setting = {"algorithm.learning_rate": round(2 * rate, 8)}
                name = found[0]["content"].splitlines()[2].split(" | ")[0]
                return message(
                    use("trajectories", ids=[name]),
                    use("query", sql="SELECT version, kind, diff FROM versions ORDER BY 1"),
                )
            case _:
                likely = candidate(self.setting, evidence=self.modes)
                other = candidate({"sampling.group_size": 8, "sampling.problems_per_step": 4}, 0.02)
                return message(propose(likely, other))


class Obedient:
    """Does whatever a rollout tells it: each `<<<[tool, arguments]>>>` that it reads is called; then it proposes."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.obeyed: list[tuple[str, dict[str, Any]]] = []
        self.answered: list[dict[str, Any]] = []

    def __call__(self, body: dict[str, Any], number: int) -> Reply:
        self.asked.append(json.dumps(body, ensure_ascii=False))
        results = results_in(body) if len(body["messages"]) > 1 else []
        if number == 1:
            return message(use("query", sql="SELECT trajectory_id FROM all_trajectories LIMIT 1"))
        if number == 2:
            return message(use("trajectories", ids=[results[0]["content"].splitlines()[2]]))
        if number == 3:
            orders = re.findall(r"<<<(.*?)>>>", results[0]["content"], re.DOTALL)
            self.obeyed = [(name, given) for name, given in map(json.loads, orders)]
            return message(*(use(name, place, **given) for place, (name, given) in enumerate(self.obeyed)))
        self.answered += results
        return message(propose(candidate({"algorithm.learning_rate": 1e-4})))
