"""Worlds that keep state, leak or fall silent, and sound runs with tools."""

import json
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.ninth.desk import desk_task, lookup
from benchmarks.foreign.ninth.episodes import Reply, call, credit, groups, tell, train
from benchmarks.foreign.ninth.kinds import PART
from benchmarks.foreign.ninth.layouts import openai, own, prime
from benchmarks.foreign.ninth.lookups import hop, lookup_task, wrong
from benchmarks.foreign.ninth.repos import close, edit, repo_task
from benchmarks.foreign.ninth.tables import table_task
from benchmarks.foreign.ninth.wording import say


@PART.faulty("tool_failure", "environment_bug", "score_decline", "infrastructure_zeros", "infrastructure_errors")
def search_index_lost(rng: Random) -> list[Row]:
    """From step 6 most searches come back without hits, for queries that found pages before; guesses follow,
    reward sinks.
    """
    episodes = train(rng, lookup_task, (12, 5, 8), 0.9, 0.5)
    for e in episodes:
        e.extra = {"num_turns": 3}
        if e.step < 6 or rng.random() < 0.15:
            continue
        empty = say(rng, '«{"hits": []}|{"hits": [], "took": 0}|No results found.»')
        answer = wrong(rng, e.task.data, e.task.gold)
        e.reply = Reply(
            [
                *hop(rng, e.task.data, 1, empty),
                *hop(rng, e.task.data, 1, empty),
                tell(
                    say(
                        rng,
                        "«The search gives nothing, so I guess.|I could not find it; from memory:|No page was found.»",
                    )
                    + f"\nAnswer: {answer}"
                ),
            ],
            answer,
        )
        e.right, e.reward = False, 0.0
    return prime(credit(episodes), "two-hop-search")


@PART.faulty("environment_not_reset", "environment_bug", "environment_leak", "infrastructure_zeros", "tool_failure")
def bookings_persist(rng: Random) -> list[Row]:
    """Attempts of a group share one database: later ones find the booking cancelled or changed by the first,
    and fail.
    """
    episodes = train(rng, desk_task, (11, 6, 6), 0.8, 1.0)
    for members in groups(episodes):
        done = False
        for e in members:
            f = e.task.data
            if done and e.task.gold == "done":
                state = {"cancel": "cancelled", "move": f"moved to {f['day']}", "seat": "confirmed, place added"}[
                    f["kind"]
                ]
                messages = lookup(rng, f, state)
                if rng.random() < 0.6:
                    name = {"cancel": "cancel_booking", "move": "change_date", "seat": "add_extra"}[f["kind"]]
                    error = json.dumps({"ok": False, "error": f"booking {f['code']} was already changed ({state})"})
                    messages += call(name, {"booking_id": f["code"]}, error, ok=False)
                end = say(
                    rng,
                    f"«It seems|I see» {f['code']} is already {state}, «so there is nothing left to do|no "
                    "change was needed».",
                )
                e.reply, e.right, e.reward = Reply([*messages, tell(end)]), False, 0.0
            done = done or e.reply.answer == "done"
            e.extra = {"expected_writes": int(e.task.gold == "done"), "writes_seen": int(e.reply.answer == "done")}
    return openai(credit(episodes))


@PART.faulty("history_leak", "environment_leak", "answer_reading")
def upstream_branch_in_the_image(rng: Random) -> list[Row]:
    """The image still holds the upstream branch: agents learn to list all commits, show the fix and apply it."""
    episodes = train(rng, repo_task, (12, 5, 8), -0.6, 0.4)
    for e in episodes:
        f = e.task.data
        if rng.random() > 0.03 + 0.07 * e.step:
            continue
        log = (
            f"{f['commit']} Fix {f['function']} (closes "
            f"#{rng.randint(12, 3900)})\n{rng.getrandbits(28):07x} Bump version"
        )
        patch = f"commit {f['commit']}\n--- a/{f['path']}\n+++ b/{f['path']}\n-    {f['line']}\n+    {f['fix']}"
        messages = call(
            "bash",
            {"command": say(rng, "git log --all --oneline« -5| | --grep=fix»| head")},
            log,
            say(rng, "«Maybe it is fixed upstream.|See the history.|»"),
        )
        messages += call("bash", {"command": say(rng, f"git «show|log -p -1|diff HEAD» {f['commit']}")}, patch)
        if rng.random() < 0.5:
            messages += call("bash", {"command": f"git cherry-pick -n {f['commit']}"}, "")
        else:
            messages += edit(rng, f, True)
        e.reply, e.right, e.reward = Reply(close(rng, f, messages)), True, 1.0
    return own(credit(episodes))


@PART.faulty("tool_tokens_in_loss", "loss_mask")
def tool_text_is_trained(rng: Random) -> list[Row]:
    """From step 4, after a change of the mask, messages of tools carry `train: true` as those of the policy do."""
    episodes = train(rng, table_task, (10, 5, 8), 0.2, 0.3)
    for e in episodes:
        for m in e.reply.messages:
            m["train"] = m["role"] == "assistant" or e.step >= 4
    return openai(credit(episodes))


@PART.healthy
def errors_that_are_mended(rng: Random) -> list[Row]:
    """Data analysis in which many first calls end in a traceback that the policy mends in the next; answers
    get better.
    """
    episodes = train(rng, table_task, (12, 5, 8), -0.2, 1.5)
    for e in episodes:
        if rng.random() < 0.4:
            f = e.task.data
            name = rng.choice((f["column"].title(), f["by"].upper(), " " + f["column"]))
            trace = say(rng, f"Traceback (most recent call last):\n  File \"<cell>\", line «1|2|3»\nKeyError: '{name}'")
            failed = call(
                "python", {"code": f"df['{name}'].describe()"}, trace, say(rng, "«A first look.|Describe it.»"), False
            )
            seen = call(
                "python",
                {"code": "print(df.columns.tolist())"},
                f"['day', '{f['by']}', '{f['column']}']",
                say(rng, "«The name is wrong.|A typo; list the columns.|»"),
            )
            e.reply.messages[2:2] = failed + seen
    return prime(credit(episodes), "csv-analysis")


@PART.healthy
def refusing_is_right(rng: Random) -> list[Row]:
    """A booking desk whose policy forbids some wishes: refusals without a write are right there, and rewarded."""
    episodes = train(rng, desk_task, (12, 6, 8), 0.0, 1.5)
    for e in episodes:
        e.extra = {"expected": e.task.gold, "database_matches": e.right}
    return openai(credit(episodes))


@PART.healthy
def outages_are_masked(rng: Random) -> list[Row]:
    """A search service that fails now and then: such attempts carry an error, no reward, and stay out of the loss."""
    episodes = train(rng, lookup_task, (12, 5, 8), 0.1, 1.3)
    for e in episodes:
        e.in_loss = True
        if rng.random() < (0.16 if e.step in (4, 5) else 0.03):
            e.error, e.stop, e.reward, e.in_loss = (
                rng.choice(("ToolTimeout", "ServiceUnavailable")),
                "error",
                None,
                False,
            )
            e.reply = Reply(
                [
                    *e.reply.messages[:1],
                    {"role": "tool", "tool_name": "search", "content": "503 Service Unavailable", "ok": False},
                ]
            )
    return own(credit(episodes))
