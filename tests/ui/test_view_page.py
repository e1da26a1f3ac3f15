"""The page of `evotrainer view` as a person uses it, in headless Chromium: `make test-ui`.

Each test is one thing that the page promises. Screenshots are written where EVOTRAINER_SCREENSHOTS names a folder.
Skipped without that command, and where Playwright or a Chromium is missing.
"""

import json
import os
import random
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import psutil
import pytest

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.evidence.foreign.reading import read_foreign_rows
from evotrainer.view.server import Live, bound, run
from evotrainer.view.sources import CampaignSource, FilesSource
from tasks.diagnose.foreign import diagnosed, with_derived

if os.environ.get("EVOTRAINER_UI_TESTS") != "1":
    pytest.skip("a minute in a browser: make test-ui", allow_module_level=True)
playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed: make test-ui does it")
CHROMIUM = next((path for name in ("chromium", "chromium-browser") if (path := shutil.which(name))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium: apt-get install chromium")

BROKEN_AT = 12
MARKUP = "<img src=x onerror='window.harmed=1'><script>window.harmed=1</script>\u202e"
LONG = 100_000
Open = Callable[..., Any]


def attempt(step: int, problem: int, number: int, rng: random.Random) -> dict[str, Any]:
    """Return an attempt with a tool, terms, tokens and a mask; from one step on the tool fails and nobody is right."""
    is_broken = step >= BROKEN_AT
    right = not is_broken and rng.random() < 0.5
    text = f"<think>{'so ' * 20}</think> {MARKUP} <answer>{2 * problem if right else 7}</answer>"
    called = {"name": "add", "arguments": json.dumps({"a": problem, "b": problem})}
    result = "error: connection refused" if is_broken else str(2 * problem)
    return {
        "trajectory_id": f"s{step}-p{problem}-a{number}",
        "step": step,
        "problem_id": f"p{problem}",
        "messages": [
            {"role": "system", "content": "Use the tool."},
            {"role": "user", "content": f"What is {problem} + {problem}?"},
            {"role": "assistant", "content": "I add.", "tool_calls": [{"id": "1", "function": called}]},
            {"role": "tool", "tool_call_id": "1", "name": "add", "content": result},
            {"role": "assistant", "content": text},
        ],
        "reward": float(right) + 0.1,
        "reward_terms": {"correct": float(right), "format": 0.1},
        "ground_truth": str(2 * problem),
        "token_ids": list(range(40)),
        "rollout_log_probs": [-0.01, -0.5, -1.5, -4.0] * 10,
        "loss_mask": [1] * 30 + [0] * 10,
    }


def write_step(folder: Path, step: int) -> None:
    rng = random.Random(step)
    rows = [attempt(step, problem, number, rng) for problem in range(8) for number in range(4)]
    (folder / f"step_{step}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def served(source: FilesSource | CampaignSource) -> str:
    live, place = Live(source), bound(0)
    threading.Thread(target=run, args=(live, place), daemon=True).start()
    while not live.seen.is_judged:
        time.sleep(0.05)
    return f"http://127.0.0.1:{place.getsockname()[1]}/"


def over(path: Path) -> str:
    return served(FilesSource(path, partial(read_foreign_rows, path), with_derived, diagnosed, None))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rollouts")
    for step in range(20):
        write_step(folder, step)
    return folder


@pytest.fixture(scope="module")
def url(folder: Path) -> str:
    return over(folder)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def open_page(browser: Any, request: pytest.FixtureRequest) -> Iterator[Open]:
    """Open pages whose console must stay empty and which ask nobody else; the last picture is named by the test."""
    opened, faults = [], []

    def open_page(address: str, width: int = 1280, scheme: str = "light", is_quiet: bool = True) -> Any:
        page = browser.new_context(viewport={"width": width, "height": 850}, color_scheme=scheme).new_page()
        page.on("console", lambda line: faults.append(line.text) if is_quiet else 0)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("request", lambda asked: faults.append(asked.url) if urlsplit(asked.url).hostname != "127.0.0.1" else 0)
        page.goto(address)
        opened.append(page)
        return page

    yield open_page
    if shots := os.environ.get("EVOTRAINER_SCREENSHOTS"):
        for place, page in enumerate(opened):
            page.screenshot(path=Path(shots) / f"{request.node.name}_{place}.png")
    for page in opened:
        page.context.close()
    assert [fault for fault in faults if "400 (Bad Request)" not in fault] == []


def where(page: Any) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).fragment).items()}


def rows_of(page: Any) -> Any:
    return page.locator(".list tbody tr")


def test_it_opens_on_the_step_where_something_changed(url: str, open_page: Open) -> None:
    page = open_page(url)
    page.get_by_text(f"Most changed at step {BROKEN_AT}").wait_for()
    cards = page.locator(".number")
    assert 3 < cards.count() <= 20
    failing = page.get_by_label("tool errors", exact=True)
    failing.get_by_text("replies of tools that failed").wait_for()
    assert "red" in failing.get_attribute("class")
    failing.get_by_text(re.compile(rf"Red at 8 of 20 steps, first {BROKEN_AT}: call the tool")).wait_for()
    page.get_by_role("heading", name=f"Rollouts of step {BROKEN_AT}").wait_for()


def test_two_steps_stand_beside_each_other(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#tab=numbers&step=2")
    page.get_by_label("beside step").select_option("15")
    assert where(page) == {"tab": "numbers", "step": "2", "beside_step": "15"}
    page.get_by_label("tool errors", exact=True).get_by_text("(+1)").wait_for()
    page.get_by_role("heading", name="Rollouts of step 15").wait_for()
    assert page.locator(".steprows").count() == 2
    page.get_by_label("reward", exact=True).locator("svg").click(position={"x": 3, "y": 20})
    assert where(page)["step"] == "0"


def test_findings_stand_worst_first_and_lead_to_their_rows(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#tab=findings")
    page.locator(".finding").first.wait_for()
    severities = page.locator("main > .finding > h3 .severity").all_inner_texts()
    order = ["invalid", "critical", "warning", "info"]
    assert severities and severities == sorted(severities, key=order.index)
    link = page.locator(".finding a.button").first
    named = int(re.sub(r"\D", "", link.inner_text()))
    link.click()
    page.get_by_text(f"{named} of 640 rows").wait_for()
    page.locator(".list tbody a").first.click()
    page.get_by_text("in the findings:").wait_for()


def test_words_sql_and_columns_choose_and_order_rows(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#tab=rows")
    page.get_by_text("640 of 640 rows").wait_for()
    page.keyboard.press("/")
    page.keyboard.type('"connection refused"')
    page.keyboard.press("Enter")
    page.get_by_text("256 of 640 rows").wait_for()
    page.locator("input[name=where]").fill("problem_id = 'p3' and step > 15")
    page.keyboard.press("Enter")
    page.get_by_text("16 of 640 rows").wait_for()
    page.get_by_role("link", name="step", exact=True).click()
    page.get_by_role("link", name="step ▲").click()
    page.get_by_role("link", name="step ▼").wait_for()
    page.locator("td[data-name=step]").first.get_by_text("19").wait_for()
    page.locator("input[name=where]").fill("colour = 1")
    page.keyboard.press("Enter")
    page.get_by_role("alert").get_by_text("colour").wait_for()


def test_all_rows_come_by_scrolling(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#tab=rows")
    rows_of(page).nth(49).wait_for()
    for last in range(99, 600, 50):
        page.keyboard.press("End")
        rows_of(page).nth(last).wait_for()
    page.keyboard.press("End")
    rows_of(page).nth(639).wait_for()


def test_a_transcript_has_turns_tools_terms_masks_and_tokens(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#tab=rows&row=s13-p2-a1")
    roles = page.locator(".messages .role")
    roles.nth(4).wait_for()
    assert [text.split()[0] for text in roles.all_inner_texts()] == ["system", "user", "assistant", "tool", "assistant"]
    page.locator(".call").get_by_text('add {"a": 2, "b": 2}').wait_for()
    page.get_by_label("reward terms").get_by_text("format").wait_for()
    page.keyboard.press("t")
    page.locator(".tokenbox .p3").first.wait_for()
    assert page.locator(".tokenbox .masked").count() == 10
    assert "log-probability -4 (1.832%)" in page.locator(".tokenbox span.p3").first.get_attribute("title")
    assert page.locator(".tokenbox span.p4").count() == 0


def test_two_rollouts_stand_beside_each_other_and_the_link_opens_them_again(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#tab=rows&step=3")
    rows_of(page).nth(5).wait_for()
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.locator(".detail .messages li").nth(4).wait_for()
    page.keyboard.press("b")
    page.locator(".two .detail").nth(1).wait_for()
    assert where(page) == {"tab": "rows", "step": "3", "row": "s3-p0-a0", "beside": "s3-p0-a1"}
    again = open_page(page.url)
    again.get_by_label("rollout s3-p0-a0").locator(".messages").wait_for()
    again.get_by_label("rollout s3-p0-a1").locator(".messages").wait_for()
    again.keyboard.press("Escape")
    again.keyboard.press("Escape")
    rows_of(again).first.wait_for()
    assert again.locator(".detail").count() == 0


def test_a_group_stands_side_by_side(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#tab=rows&row=s3-p0-a0")
    page.locator(".detail .messages").wait_for()
    page.keyboard.press("g")
    articles = page.locator(".group article")
    articles.nth(3).wait_for()
    boxes = [articles.nth(place).bounding_box() for place in range(4)]
    assert articles.count() == 4 and len({box["y"] for box in boxes}) == 1
    rewards = [float(text) for text in page.locator(".group h3 a").all_inner_texts()]
    assert rewards == sorted(rewards, reverse=True)


def test_text_of_a_policy_is_inert(url: str, open_page: Open) -> None:
    page = open_page(f"{url}#tab=rows&row=s3-p0-a0", is_quiet=False)
    page.locator(".messages").get_by_text("<img src=x onerror='window.harmed=1'>").wait_for()
    page.locator(".messages").get_by_text("<U+202E>").wait_for()
    assert page.evaluate("window.harmed") is None and page.locator("img").count() == 0
    ran = page.evaluate(
        "() => { const one = document.createElement('div'); one.innerHTML = '<img src=x onerror=\"window.harmed=1\">';"
        " document.body.append(one); return new Promise((done) => addEventListener('securitypolicyviolation',"
        " (event) => done(event.effectiveDirective), { once: true })); }"
    )
    assert ran in ("img-src", "script-src-attr") and page.evaluate("window.harmed") is None


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_every_view_fits_a_phone_and_a_desk_in_light_and_dark(
    url: str, open_page: Open, width: int, scheme: str
) -> None:
    for part in ("tab=numbers&step=12&beside_step=3", "tab=findings", "tab=rows", "tab=rows&row=s3-p0-a0&tokens=1"):
        page = open_page(f"{url}#{part}", width, scheme)
        page.locator(":is(.number, .finding, .messages li, .list tbody tr):visible").first.wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= width, part
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (sum(map(int, re.findall(r"\d+", ground)[:3])) < 200) == (scheme == "dark")


def test_it_follows_a_folder_that_grows(tmp_path: Path, open_page: Open) -> None:
    for step in range(3):
        write_step(tmp_path, step)
    page = open_page(over(tmp_path))
    page.get_by_text("96 rows").wait_for()
    write_step(tmp_path, 3)
    page.get_by_text("128 rows").wait_for()
    page.get_by_label("step", exact=True).get_by_text("3", exact=True).wait_for(state="attached")


def test_a_campaign_shows_lineage_verdicts_and_differences(written_campaign: CampaignFiles, open_page: Open) -> None:
    page = open_page(served(CampaignSource(written_campaign, with_derived)))
    page.get_by_role("img", name=re.compile("Score of every version")).wait_for()
    assert page.locator("tr.on .badge.promoted").count() == 1, "it opens on the version where something changed"
    page.locator(".differences").get_by_text("outcome").wait_for()
    page.get_by_role("link", name=re.compile("v006 invalid")).first.locator(".mark").first.click()
    page.locator(".version").get_by_text("v006 was invalid").wait_for()
    page.get_by_label("differences from").select_option("v001")
    page.locator(".differences th").get_by_text("v001").wait_for()
    page.get_by_role("link", name="its rollouts").click()
    page.locator("td[data-name=version]").first.get_by_text("v006").wait_for()


def test_many_rows_and_a_long_transcript(tmp_path: Path, open_page: Open) -> None:
    path, port = tmp_path / "many.jsonl", bound(0)
    number = port.getsockname()[1]
    port.close()
    rng = random.Random(0)
    with path.open("w") as file:
        for place in range(LONG):
            words = " ".join(rng.choices(["so", "then", "two", "add", "hence"], k=LONG if place == 0 else 120))
            row = {"step": place // 1000, "input": f"What is {place // 8}?", "output": words, "score": place % 2}
            tokens = {"token_ids": [1] * LONG, "rollout_log_probs": [-0.5] * LONG} if place == 0 else {}
            file.write(json.dumps(row | tokens) + "\n")
    command = [sys.executable, "-m", "cli.main", "view", str(path), "--port", str(number)]
    started = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None and f"{LONG} rows" in process.stdout.readline()
        page = open_page(f"http://127.0.0.1:{number}/#tab=rows", is_quiet=False)
        rows_of(page).nth(49).wait_for()
        shown = time.monotonic() - started
        page.goto(f"http://127.0.0.1:{number}/#tab=rows&row=many.jsonl%3A1")
        page.locator(".messages .chunk").nth(50).wait_for(state="attached")
        height = page.evaluate("document.querySelector('.detail').scrollHeight")
        frames = page.evaluate(
            "() => new Promise((done) => { const box = document.querySelector('.detail'); const times = []; let last;"
            " const step = (now) => { if (last) times.push(now - last); last = now; box.scrollTop += 1500;"
            " times.length < 120 ? requestAnimationFrame(step) : done(times.sort((a, b) => a - b)); };"
            " requestAnimationFrame(step); })"
        )
        page.keyboard.press("t")
        page.locator(".tokenbox .p1").first.wait_for()
        memory = psutil.Process(process.pid).memory_info().rss >> 20
        print(
            f"{LONG} rows shown after {shown:.1f} s; {memory} MB; frames {frames[60]:.0f} ms, worst {frames[-1]:.0f} ms"
        )
        assert height > 50_000 and memory < 800
    finally:
        process.terminate()
        process.wait(20)
