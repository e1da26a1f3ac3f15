"""Healthy kinds of the blind part: sound training of many forms, with what is odd about each of them."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from benchmarks.foreign import estimators as by
from benchmarks.foreign.blind.agents import Database, Repository, call, seen
from benchmarks.foreign.blind.answers import Choices, Labels, Reading, Translation, WordProblems, say
from benchmarks.foreign.blind.games import Chat, Functions, Grid, Shop
from benchmarks.foreign.blind.training import Moment, Run, run
from benchmarks.foreign.case import Kind, Row


def plain(
    name: str, shape: Run, *after: Callable[[np.random.Generator, list[Row]], list[Row]], source: str = ""
) -> Kind:
    """A kind of one run, with the rows passed through `after`."""

    def build(rng: np.random.Generator) -> list[Row]:
        rows = run(rng, shape)
        for change in after:
            rows = change(rng, rows)
        return rows

    return Kind(name, build, source=source)


def tests_passed(rng: np.random.Generator, is_right: bool, problem) -> float:
    """Share of ten tests."""
    return 1.0 if is_right else float(rng.integers(0, 10)) / 10


def judged(rng: np.random.Generator, is_right: bool, problem) -> float:
    """1 to 10."""
    return float(np.clip(round(rng.normal(7.5 if is_right else 4.5, 1.3)), 1, 10))


def overlap(rng: np.random.Generator, is_right: bool, problem) -> float:
    """0 to 1."""
    return float(np.clip(rng.normal(0.62 if is_right else 0.38, 0.12), 0, 1))


def without(*columns: str):
    """Drops columns."""
    return lambda rng, rows: [{k: v for k, v in row.items() if k not in columns} for row in rows]


def with_validation(world, count: int = 40):
    """Adds fresh validation problems, sampled at the first and the last step."""

    def change(rng: np.random.Generator, rows: list[Row]) -> list[Row]:
        shape = Run(
            world,
            steps=1,
            problems=count,
            group=2,
            estimator=None,
            order=lambda rng, step, n: list(range(5000, 5000 + n)),
        )
        return rows + run(rng, shape, "validation")

    return change


def shuffled(rng: np.random.Generator, rows: list[Row]) -> list[Row]:
    """The same rows in any order, as asynchronous workers write them."""
    return [rows[i] for i in rng.permutation(len(rows))]


def soft_overlong(rng: np.random.Generator, row: Row, moment: Moment) -> None:
    """DAPO's penalty on answers near the limit."""
    row["num_tokens"] = int(rng.gamma(6, 60))
    row["reward"] = row["reward"] * 2 - 1 - float(np.clip((row["num_tokens"] - 550) / 150, 0, 1))
    row["is_truncated"] = row["num_tokens"] > 700
    row["stop_reason"] = "max_tokens" if row["is_truncated"] else "stop"


def dynamic_sampling(rng: np.random.Generator, rows: list[Row]) -> list[Row]:
    """Drops groups without variance, as DAPO does before the loss."""
    spread: dict[tuple, set] = {}
    for row in rows:
        spread.setdefault((row["step"], row["problem_id"]), set()).add(row["correct"])
    return [row for row in rows if len(spread[row["step"], row["problem_id"]]) > 1]


def long_answers_of_hard_problems(rng: np.random.Generator, row: Row, moment: Moment) -> None:
    """Hard problems need long work, and the policy learns to take its time."""
    row["num_tokens"] = int(rng.gamma(8, 8 + 40 * moment.problem.difficulty + 25 * moment.progress))


def some_truncated(rng: np.random.Generator, row: Row, moment: Moment) -> None:
    """One answer in twenty is cut, and wrong for that."""
    if rng.random() < 0.05:
        row.update(is_truncated=True, stop_reason="length", reward=0.0, correct=0.0)


def format_learned(rng: np.random.Generator, row: Row, moment: Moment) -> None:
    """A small format term that is learned in the first part of the run."""
    ok = bool(rng.random() < min(1.0, 0.5 + moment.progress))
    row.update(
        reward_terms={"accuracy": row["reward"], "format": float(ok)}, format_ok=ok, reward=row["reward"] + 0.1 * ok
    )


def workers(rng: np.random.Generator, row: Row, moment: Moment) -> None:
    """Which machine graded the row, unrelated to anything."""
    row["extra"] = {"grader_host": f"node{rng.integers(6)}", "gpu": f"cuda:{rng.integers(4)}"}


def regression_test(rng: np.random.Generator, row: Row, moment: Moment) -> None:
    """A script that reproduces the issue is written, run, and left out of the patch."""
    end = row["messages"].pop()
    noun = moment.problem.facts["noun"]
    row["messages"] += [
        say(
            "A small script to see it fail first.",
            tool_calls=[call("create_file", file=f"/tmp/repro_{noun}.go", text=f"package main // {rng.integers(999)}")],
        ),
        seen("create_file", "created"),
        say("Running it.", tool_calls=[call("execute", cmd=f"go run /tmp/repro_{noun}.go")]),
        seen("execute", "panic: index out of range"),
        end,
    ]


def status_of_git(rng: np.random.Generator, row: Row, moment: Moment) -> None:
    """The work in progress is looked at before handing in."""
    end = row["messages"].pop()
    row["messages"] += [
        say("What did I change?", tool_calls=[call("execute", cmd="cd /srv/app && git status --short && git diff")]),
        seen("execute", f" M {moment.problem.facts['file']}"),
        end,
    ]


def crashes_masked(rng: np.random.Generator, row: Row, moment: Moment) -> None:
    """Three graders in a hundred crash: no reward, an error."""
    if rng.random() < 0.03:
        row.update(reward=None, correct=None, error="GraderTimeout", in_loss=False, stop_reason="error")


def timed(rng: np.random.Generator, row: Row, moment: Moment) -> None:
    """Wall clock grows with the work, and wrong answers loop longer."""
    row["duration_seconds"] = float(rng.gamma(4, 2.0 if moment.is_right else 2.6))


def two_fleets(rng: np.random.Generator) -> list[Row]:
    """Two domains graded by two fleets: the worker explains the reward as the domain does."""
    easy = run(rng, Run(WordProblems("es"), problems=4, skill=(0.6, 0.8)))
    hard = run(rng, Run(Functions(), problems=4, skill=(0.15, 0.3), grade=tests_passed))
    for rows, domain in ((easy, "math"), (hard, "code")):
        for row in rows:
            row.update(domain=domain, extra={"reward_server": f"{domain}-grader-{rng.integers(3)}"})
    return easy + hard


def demonstrations(rng: np.random.Generator) -> list[Row]:
    """Data for supervised fine-tuning: one right answer a problem."""
    rows = run(
        rng, Run(WordProblems("pl"), steps=1, problems=200, group=1, skill=(0.97, 0.97), estimator=None, spread=0.0)
    )
    return [{k: row[k] for k in ("problem_id", "messages", "reward", "correct")} for row in rows if row["correct"]]


def curriculum(rng: np.random.Generator) -> list[Row]:
    """Problems grow harder as the policy grows better: the reward stays flat."""
    rows = []
    for step in range(12):
        part = run(
            rng,
            Run(
                WordProblems("de"),
                steps=1,
                problems=6,
                group=6,
                skill=(0.55 - 0.01 * step, 0.55 - 0.01 * step),
                order=lambda rng, s, n, k=step: list(range(k * n, k * n + n)),
            ),
        )
        for row in part:
            row.update(step=step, policy_id=f"p{step}")
            row["extra"] = {"level": 1 + step // 3}
        rows += part
    return rows


def few(rng: np.random.Generator, rows: list[Row]) -> list[Row]:
    """A dozen rows."""
    return rows[:12]


def asynchronous(rng: np.random.Generator, rows: list[Row]) -> list[Row]:
    """Sampled from the weights of one step before."""
    return [{**row, "policy_id": f"w{max(0, row['step'] - 1):05d}"} for row in rows]


def as_verl(rng: np.random.Generator, rows: list[Row]) -> list[Row]:
    """verl's dump: text in, text out, score."""
    return [
        {
            "input": f"user\n{row['messages'][0]['content']}\nassistant\n",
            "output": row["messages"][-1]["content"],
            "gts": "",
            "score": row["reward"],
            "step": row["step"],
            "acc": row["correct"],
        }
        for row in rows
    ]


def as_chat(rng: np.random.Generator, rows: list[Row]) -> list[Row]:
    """Messages with a reward beside, and columns of the person's own."""
    return [
        {
            "messages": row["messages"],
            "reward": row["reward"],
            "solved": bool(row["correct"]),
            "iteration": row["step"],
            "note": f"shard {rng.integers(9)}",
        }
        for row in rows
    ]


def repeated(rng: np.random.Generator, step: int, n: int) -> list[int]:
    """Problems drawn with replacement: one may come twice in a step, and again in later ones."""
    return [int(x) for x in rng.integers(0, 30, size=n)]


MATH = Run(WordProblems("de"))
HEALTHY = (
    plain("grpo_german_math", MATH, with_validation(WordProblems("de"))),
    plain(
        "rloo_python_share_of_tests",
        Run(Functions(), group=4, problems=10, estimator=by.leave_one_out, grade=tests_passed),
    ),
    plain("reinforce_pp_single_attempts", Run(Database(), group=1, problems=40, estimator=by.whole_batch)),
    plain("ppo_critic_chat", Run(Chat(), group=1, problems=36, estimator=by.critic, grade=judged, has_correct=False)),
    plain("ppo_critic_groups", Run(WordProblems("es"), group=4, problems=10, estimator=by.critic)),
    plain("rloo_kl_in_reward", Run(WordProblems("zh"), group=4, problems=10, estimator=by.with_kl)),
    plain(
        "dapo_chinese_math",
        Run(WordProblems("zh"), group=16, problems=4, alter=soft_overlong, skill=(0.4, 0.6)),
        dynamic_sampling,
    ),
    plain("groups_of_two", Run(WordProblems("pl"), group=2, problems=20)),
    Kind("demonstrations", demonstrations),
    plain("judged_chat", Run(Chat(), group=6, problems=8, grade=judged, has_correct=False)),
    plain("terse_repository", Run(Repository(is_terse=True), problems=5, skill=(0.3, 0.5)), without("policy_id")),
    plain(
        "odd_tool_names",
        Run(
            Repository(
                look="peek", find="grep_tree", edit="amend_source", run="shell_once", end="hand_over", suffix="ts"
            ),
            problems=5,
        ),
    ),
    plain(
        "reproduction_script", Run(Repository(look="open_file", edit="edit_file"), problems=5, alter=regression_test)
    ),
    plain("status_before_end", Run(Repository(suffix="ts"), problems=5, alter=status_of_git, grade=tests_passed)),
    Kind("curriculum", curriculum),
    plain("problem_twice_a_step", Run(WordProblems("es"), order=repeated)),
    plain("token_averaged", Run(WordProblems("de"), estimator=by.token_averaged)),
    plain("clipped", Run(Functions(), estimator=by.clipped, grade=tests_passed)),
    plain("hard_is_long", Run(WordProblems("de"), alter=long_answers_of_hard_problems)),
    plain("multiple_choice", Run(Choices(), skill=(0.4, 0.55)), with_validation(Choices())),
    plain("extraction", Run(Reading(), skill=(0.5, 0.7)), with_validation(Reading())),
    plain("labels_of_one_word", Run(Labels(), skill=(0.5, 0.75), logprob=(-0.5, -0.3)), without("policy_id")),
    plain("translation_overlap", Run(Translation(), grade=overlap, has_correct=False, estimator=by.centred)),
    plain("grid_walks", Run(Grid(), problems=5)),
    plain(
        "shop_actions_in_text",
        Run(
            Shop(), problems=5, grade=lambda rng, right, problem: 1.0 if right else float(rng.choice([0.0, 0.25, 0.5]))
        ),
    ),
    plain("tool_errors_happen", replace(MATH, world=Database())),
    plain("few_rows", MATH, few),
    plain("some_truncated", Run(WordProblems("es"), alter=some_truncated)),
    plain("rows_in_any_order", MATH, shuffled),
    plain("format_learned", Run(WordProblems("zh"), alter=format_learned)),
    plain("graders_alike", Run(WordProblems("pl"), alter=workers)),
    Kind("two_fleets", two_fleets),
    plain("crashes_masked", Run(Functions(), alter=crashes_masked, grade=tests_passed, estimator=by.centred)),
    plain("wall_clock", Run(Database(), alter=timed)),
    plain("one_step_late", MATH, asynchronous),
    plain("nearly_solved", Run(WordProblems("de"), skill=(0.8, 0.88), spread=0.8)),
    plain("weak_start", Run(Functions(), skill=(0.1, 0.3), spread=0.8)),
    plain("verl_dump", Run(WordProblems("de")), as_verl, source="verl"),
    plain("own_chat_rows", Run(Database(), group=4), as_chat),
    plain("baseline_over_batch", Run(WordProblems("es"), estimator=by.whole_batch_baseline)),
)
