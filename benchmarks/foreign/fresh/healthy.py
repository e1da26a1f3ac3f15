"""Healthy runs of the further blind part: what other trainers do on purpose, and what only looks like a fault."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np

from benchmarks.foreign import estimators as by
from benchmarks.foreign.case import Kind, Row
from benchmarks.foreign.fresh import writing as rows_of
from benchmarks.foreign.fresh.answers import (
    Chemistry,
    Countdown,
    Hindi,
    Invoice,
    Law,
    Liars,
    Translation,
    shares_of_words,
)
from benchmarks.foreign.fresh.programs import Functions, Rust, Scripts, Summary
from benchmarks.foreign.fresh.repositories import RubyRepository, SpecWriter
from benchmarks.foreign.fresh.sampling import (
    Plan,
    Rng,
    Sample,
    choose,
    epochs_of,
    give_advantages,
    mean_logprobs,
    play,
    say,
)
from benchmarks.foreign.fresh.services import Browser, Cluster, Handbook, HelpDesk, Words

Change = Callable[[Rng, list[Sample]], list[Sample]]
Write = Callable[[Sequence[Sample]], list[Row]]


def as_it_is(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """Change nothing."""
    return samples


def healthy(
    name: str,
    plan: Plan,
    write: Write = rows_of.as_own,
    change: Change = as_it_is,
    estimator: by.Estimator | None = by.grpo,
    source: str = "",
) -> Kind:
    """Return a kind of healthy runs: played, changed, given advantages, written."""

    def build(rng: Rng) -> list[Row]:
        samples = change(rng, play(rng, plan))
        if estimator is not None:
            give_advantages(rng, samples, estimator)
        return write(samples)

    return Kind(name, build, source=source)


def graded_by_overlap(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """Pay the overlap with the reference."""
    for s in samples:
        s.reward, s.correct = shares_of_words(s.said[-1]["content"], s.item.truth), None
    return samples


def judged_by_coverage(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """Pay 1 to 5 for what a summary covers, with a judge's noise: long ones cover more."""
    for s in samples:
        covered = s.said[-1]["content"].count(".") + (1.5 if s.is_right else 0)
        s.reward, s.correct = float(np.clip(round(covered * 0.6 + rng.normal(0, 0.7)), 1, 5)), None
    return samples


def plus_minus(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """Pay 1 for right, -1 for wrong, as verl's math rewards of DAPO do."""
    for s in samples:
        s.reward = 1.0 if s.is_right else -1.0
    return samples


def soft_overlong(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """Take off a little where answers grow long, keep groups with both outcomes."""
    plus_minus(rng, samples)
    for s in samples:
        s.terms = {"overlong_reward": -min(1.0, max(0.0, (s.length - 90) / 60))}
        s.reward = float(s.reward or 0.0) + s.terms["overlong_reward"]
    kept = {
        g
        for g in {s.group for s in samples}
        if 0 < sum(s.is_right for s in samples if s.group == g) < sum(s.group == g for s in samples)
    }
    return [s for s in samples if s.group in kept]


def held_out(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """Add a validation split of the same sort at three steps."""
    task = Chemistry()
    for number, step in enumerate((0, 4, 9)):
        plan = Plan(
            task,
            steps=1,
            items=16,
            group=1,
            start=0.3 + 0.1 * number,
            end=0.3 + 0.1 * number,
            order=lambda rng, step, n: range(5000, 5000 + n),
        )
        samples += play(np.random.default_rng(11 + number), plan, "validation", step)
    return samples


def shorter_thoughts(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """A length penalty works: thoughts shrink by a third, and stay thoughts."""
    for s in samples:
        text = s.said[-1]["content"]
        body, _, end = text.partition("</think>")
        parts = body.split(". ")
        s.said = [say(". ".join(parts[: max(2, round(len(parts) * (1 - 0.35 * s.progress)))]) + "</think>" + end)]
        s.reward = float(s.is_right) - 0.001 * s.length
        s.terms = {"accuracy": float(s.is_right), "length_penalty": -0.001 * s.length}
    return samples


def fast_and_slow_workers(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """Rows end in any order: times of day of neighbouring steps overlap, as in an asynchronous trainer."""
    for s in samples:
        seconds = s.step * 40 + float(rng.uniform(0, 70))
        s.more |= {
            "started_at": (datetime(2026, 3, 1, 10, tzinfo=UTC) + timedelta(seconds=int(seconds))).isoformat(),
            "policy_id": f"v{max(0, s.step - int(rng.integers(0, 3)))}",
            "worker": f"rollout-{rng.integers(6)}",
        }
    return samples


def two_engines(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """Logprobs of sampler and trainer beside each other, a little apart, at every step alike."""
    for s in samples:
        mean_logprobs(rng, s.said, -0.6)
        value = float(np.mean([m["mean_logprob"] for m in s.said if m["role"] == "assistant"]))
        s.more |= {
            "vllm_logprob_mean": value,
            "actor_logprob_mean": value + float(rng.normal(0, 0.004)),
            "ratio_max": 1 + abs(float(rng.normal(0, 0.05))),
        }
    return samples


def harness_errors_masked(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """A few attempts die with the machine: no reward, an error, not in the loss."""
    for s in samples:
        if choose(rng, 0.04):
            s.reward, s.correct, s.error = None, None, "sandbox_unreachable"
    return samples


def paid_by_speed(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """Pay a game by the turns it took."""
    for s in samples:
        turns = sum(m["role"] == "assistant" for m in s.said)
        s.reward, s.correct = (1.0 - 0.15 * (turns - 1) if s.is_right else 0.0), float(s.is_right)
    return samples


def routed_by_dataset(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """Two sources of problems, one harder; each has graders of its own."""
    for s in samples:
        s.more |= {"data_source": s.item.key.split("-")[0], "grader": f"g{rng.integers(3)}"}
    return samples


def with_other_task(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """Add a hard task to an easy one, in the same steps."""
    hard = play(rng, Plan(Rust(), items=4, group=6, start=0.12, end=0.25))
    for s in hard:
        s.group = f"hard/{s.group}"
    return routed_by_dataset(rng, samples + hard)


def cleans_up(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """Agents look at their diff, clear caches and drop their own scratch file before they stop."""
    for s in samples:
        scratch = f"tmp/repro_{rng.integers(900)}.rb"
        lines = (
            f"git diff --stat {scratch}",
            "git status --short",
            f"rm -f {scratch}",
            "rm -rf coverage/ .rspec_status",
            "git log --oneline -n 3",
        )
        for line in rng.permutation(lines)[: int(rng.integers(1, 4))]:
            call = {"name": "console", "arguments": {"line": str(line)}}
            s.said[-1:-1] = [
                say(str(rng.choice(["Tidying up.", "Let me see what changed.", ""])), call),
                {"role": "tool", "tool_name": "console", "content": "" if "rm" in line else " lib | 2 +-"},
            ]
    return samples


def some_cut(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """One attempt in twelve runs into the length limit and is wrong."""
    for s in samples:
        if choose(rng, 0.08):
            text = s.said[-1]["content"]
            s.said, s.stop, s.is_right, s.reward, s.correct = [say(text[: len(text) // 2])], "length", False, 0.0, 0.0
    return samples


def percent(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """Pay the share of tests in percent."""
    for s in samples:
        s.reward = 100.0 if s.is_right else float(rng.choice([0, 12.5, 25, 37.5, 62.5]))
    return samples


def falling_curriculum(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """Levels rise faster than skill: the reward falls."""
    for s in samples:
        s.more |= {"level": int(s.step // 2), "bucket": f"L{s.step // 2}"}
    return samples


def plain_demonstrations(rng: Rng) -> list[Row]:
    """Right answers alone, as a set for supervised tuning holds them."""
    samples = [s for s in play(rng, Plan(Hindi(), steps=1, items=220, group=1, start=0.95, end=0.95)) if s.is_right]
    return [{"messages": [*s.ask, *s.said], "reward": 1.0} for s in samples]


def answers_in_other_words(rng: Rng, samples: list[Sample]) -> list[Sample]:
    """Format bonus learned: early answers lack the tags now and then, and lose a small part of the reward."""
    for s in samples:
        has_form = choose(rng, 0.6 + 0.39 * s.progress)
        if not has_form:
            s.said = [say(s.said[-1]["content"].replace("<answer>", "").replace("</answer>", ""))]
        s.terms = {"correctness": float(s.is_right), "format": float(has_form)}
        s.reward = 0.9 * s.terms["correctness"] + 0.1 * s.terms["format"]
        s.more |= {"format_ok": has_form}
    return samples


CHEM, LIARS, RUBY = Plan(Chemistry()), Plan(Liars()), RubyRepository()
HEALTHY = (
    healthy("french_boxes_verl", CHEM, rows_of.as_verl, source="verl", estimator=None),
    healthy("french_boxes_held_out", CHEM, change=held_out),
    healthy("liars_pairs", Plan(Liars(), items=22, group=2)),
    healthy("liars_rloo_three", Plan(Liars(), items=12, group=3), estimator=by.leave_one_out),
    healthy("countdown_plus_minus", Plan(Countdown()), rows_of.as_verl, plus_minus, source="verl"),
    healthy("countdown_format_bonus", Plan(Countdown()), rows_of.as_trl, answers_in_other_words),
    healthy("countdown_ppo", Plan(Countdown(), items=40, group=1), estimator=by.critic),
    healthy("rust_dapo", Plan(Rust(), items=6, group=12), change=soft_overlong),
    healthy("rust_percent_kl_inside", Plan(Rust()), change=percent, estimator=by.with_kl),
    healthy("law_letters_three_epochs", Plan(Law(), steps=12, order=epochs_of(32), start=0.45, end=0.6)),
    healthy("law_letters_reinforce", Plan(Law(), items=48, group=1), rows_of.as_chat, estimator=by.whole_batch),
    healthy("translation_overlap_trl", Plan(Translation()), rows_of.as_trl, graded_by_overlap),
    healthy(
        "translation_ppo_critic", Plan(Translation(), items=40, group=1), rows_of.as_own, graded_by_overlap, by.critic
    ),
    healthy("hindi_clipped", Plan(Hindi()), estimator=by.clipped),
    healthy("hindi_token_averaged", Plan(Hindi()), estimator=by.token_averaged),
    Kind("hindi_demonstrations", plain_demonstrations),
    healthy("invoices", Plan(Invoice(), start=0.6, end=0.8)),
    healthy("invoices_epochs_pairs", Plan(Invoice(), items=16, group=2, start=0.5, end=0.75, order=epochs_of(64))),
    healthy("one_call_functions", Plan(Functions(), start=0.5, end=0.7)),
    healthy("line_tools", Plan(Scripts())),
    healthy("summaries_judged", Plan(Summary()), change=judged_by_coverage, estimator=by.centred),
    healthy("summaries_ppo", Plan(Summary(), items=40, group=1), rows_of.as_chat, judged_by_coverage, by.critic),
    healthy("thoughts_grow_shorter", Plan(Chemistry(), start=0.4, end=0.65), change=shorter_thoughts),
    healthy("ruby_one_file_tool", Plan(RUBY, items=5)),
    healthy("ruby_terse_spanish", Plan(RubyRepository(is_terse=True), items=5)),
    healthy("ruby_long", Plan(RubyRepository(rounds=12), items=4), rows_of.as_chat),
    healthy("ruby_cleans_up", Plan(RUBY, items=5), change=cleans_up),
    healthy("specs_are_the_task", Plan(SpecWriter(), items=5)),
    healthy("cluster_logs_speak_of_outages", Plan(Cluster(), items=6)),
    healthy("desk_of_a_shop", Plan(HelpDesk()), rows_of.as_verifiers, estimator=None),
    healthy("browser_by_text", Plan(Browser()), estimator=by.whole_batch_baseline),
    healthy("word_game_by_speed", Plan(Words()), change=paid_by_speed),
    healthy("handbook_lookup", Plan(Handbook())),
    healthy(
        "handbook_inspect_epochs",
        Plan(Handbook("page_of"), steps=1, items=60, group=4),
        rows_of.as_inspect,
        estimator=None,
    ),
    healthy("asynchronous_times", LIARS, change=fast_and_slow_workers),
    healthy("two_logprob_columns", LIARS, change=two_engines),
    healthy("machine_errors_masked", Plan(Rust()), change=harness_errors_masked),
    healthy("easy_and_hard_sources", Plan(Hindi(), items=4, start=0.7, end=0.85), change=with_other_task),
    healthy("some_cut_off", Plan(Countdown()), change=some_cut),
    healthy("falling_curriculum", replace(LIARS, start=0.6, end=0.4), change=falling_curriculum),
    healthy(
        "drawn_twice_a_step", replace(CHEM, order=lambda rng, step, n: [int(x) for x in rng.integers(0, 40, size=n)])
    ),
    healthy("uneven_groups", Plan(Liars(), items=10, sizes=(1, 2, 3, 5, 8))),
)
