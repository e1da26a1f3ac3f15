"""Agents that search, read, poll and fill in."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, critic, grpo, leave_one_out
from benchmarks.foreign.fortyfirst.kinds import PART
from benchmarks.foreign.fortyfirst.layouts import nemo_rl, openai, ours, prime, slime
from benchmarks.foreign.fortyfirst.policy import Message, Problem, advance, calls, pay, says, train
from benchmarks.foreign.fortyfirst.words import NAMES, slip


def _job(rng: random.Random, i: int) -> Problem:
    model, lr = rng.choice(("fluid", "traffic", "protein", "harvest", "tide")), rng.randint(2, 90)
    gold = f"{rng.randint(100, 999)}.{rng.randint(10, 99)}"
    early = f"{rng.randint(100, 999)}.{rng.randint(10, 99)}"
    prompt = f"Run the {model} simulation with parameter {lr} on the cluster and report its final energy: 'Energy: E'."

    def write(rng: random.Random, right: bool, t: float) -> list[Message]:
        job = f"{model}-{rng.randint(1000, 9999)}"
        out = calls(rng.choice(("I submit it.", "Starting the job.")), "submit", f"job {job}", model=model, value=lr)
        for _ in range(rng.randint(2, 5)):
            told = rng.choice(("Is it done?", "Waiting.", "Asking again.", "Not yet, I wait."))
            out += calls(told, "job_status", f"{job}: running", job=job)
        if right:
            out += calls("Once more.", "job_status", f"{job}: finished", job=job)
            text = f"energy at step 100: {early}\nenergy final: {gold}"
        else:
            text = f"energy at step 100: {early}"
        out += calls("The result:", "job_log", text, job=job)
        end = gold if right else early
        return out + says(f"{rng.choice(('The run gives', 'The log names'))} {end}.\nEnergy: {end}")

    return Problem(f"job-{i}", prompt, gold, rng.gauss(0, 0.6), write)


@PART.healthy
def running_jobs_are_asked_again_until_they_end(rng: random.Random) -> list[Row]:
    """The same call comes up to five times with the same answer: the job is running, and only asking tells its end."""
    return ours(advance(rng, pay(train(rng, _job, 18, 4, 8)), grpo), "cluster")


_ZH = {
    "tea museum": "茶叶博物馆",
    "stone bridge": "石桥",
    "silk factory": "丝绸厂",
    "observatory": "天文台",
    "opera house": "歌剧院",
}
_TOWNS = {
    "Suzhou": "苏州",
    "Dali": "大理",
    "Quanzhou": "泉州",
    "Shaoxing": "绍兴",
    "Datong": "大同",
    "Yangzhou": "扬州",
}


def _chinese_page(rng: random.Random, i: int) -> Problem:
    thing, town = rng.choice(list(_ZH)), rng.choice(list(_TOWNS))
    year, again, number = rng.randint(1902, 1979), rng.randint(1985, 2019), rng.randint(2, 40)
    name = f"{_TOWNS[town]}{_ZH[thing]}{number}号"
    prompt = f"In which year did the {thing} at number {number} in {town} open? Give its Chinese name. 'Year: Y' last."

    def write(rng: random.Random, right: bool, t: float) -> list[Message]:
        query = rng.choice((f"{_TOWNS[town]} {_ZH[thing]} {number}号", f"{town} {thing} opening year", name))
        page = f"{name}始建于{year - 3}年，{year}年对外开放，{again}年重修。每周一休息。"
        out = calls(rng.choice(("I search in Chinese pages.", "A local page should know.")), "search",
                    f"1. {name} 简介\n2. {_TOWNS[town]}旅游指南", query=query)  # fmt: skip
        out += calls("Opening the first.", "open", page, hit=1)
        end = year if right else rng.choice((year - 3, again))
        told = f"The page on '{name}' says that it {'opened' if right or end > year else 'was made'} in {end}."
        return out + says(
            f"{told} {rng.choice(('It is closed on Mondays.', 'It was restored later.', ''))}\nYear: {end}"
        )

    return Problem(f"zh-{i}", prompt, str(year), rng.gauss(0, 0.6), write)


@PART.healthy
def chinese_pages_are_quoted_in_english_answers(rng: random.Random) -> list[Row]:
    """Chinese stands in the answers to English questions: the pages are Chinese, and the question asks for the name."""
    return prime(advance(rng, pay(train(rng, _chinese_page, 20, 4, 8)), leave_one_out), "browse-zh")


_CITIES = ("Aarhus", "Turin", "Kaunas", "Cork", "Split", "Bergen", "Leuven", "Pécs", "Vigo", "Tartu")


def _lookup(rng: random.Random, i: int) -> Problem:
    firm = f"{rng.choice(('Nord', 'Alba', 'Kesto', 'Vira', 'Ombra'))}{rng.choice(('lux', 'tek', 'mar', 'wood'))}"
    town, founded = (rng.choice(_CITIES), rng.randint(1890, 2015))
    other = founded + rng.randint(2, 15)
    hits = f"1. {firm} {town} - company register\n2. {firm} group annual report\n3. {firm} (film)"
    prompt = f"When was {firm} of {town} founded (not its group)? Use search, then open a hit. Last line 'Founded: Y'."

    def write(rng: random.Random, right: bool, t: float) -> list[Message]:
        told = rng.choice(("I look it up.", "First a search.", "The register may have it.", "Searching the name."))
        out = calls(told, "search", hits, query=f"{firm} {town} founded")
        hit, year = (1, founded) if right else (2, other)
        page = f"{firm} {town}, entered in {founded}." if right else f"The {firm} group was formed in {other}."
        out += calls(rng.choice((f"Hit {hit} looks right.", f"Opening number {hit}.")), "open", page, hit=hit)
        return out + says(f"{rng.choice(('According to that page,', 'It says'))} {year}.\nFounded: {year}")

    return Problem(f"firm-{i}", prompt, str(founded), rng.gauss(0, 0.6), write)


@PART.healthy
def frozen_index_gives_all_attempts_the_same_hits(rng: random.Random) -> list[Row]:
    """First calls and their answers agree to the letter within groups: a frozen index, and one obvious query."""
    return openai(advance(rng, pay(train(rng, _lookup, 20, 4, 8)), centred))


def _quiz(rng: random.Random, i: int) -> Problem:
    key = [rng.choice("ABCD") for _ in range(6)]
    students = {n: [k if rng.random() < 0.6 else rng.choice("ABCD") for k in key] for n in rng.sample(NAMES, 7)}
    ask = rng.randint(1, 6)
    gold = sum(given[ask - 1] == key[ask - 1] for given in students.values())
    sheet, keys = f"quiz{i}/answers.csv", f"quiz{i}/answer_key.csv"
    prompt = (
        f"Mark a quiz: pupils' answers are in {sheet} and the teacher's key in {keys}. How many pupils have question"
        f" {ask} right? Last line 'Count: N'."
    )

    def write(rng: random.Random, right: bool, t: float) -> list[Message]:
        table = "\n".join(f"{n},{','.join(given)}" for n, given in students.items())
        out = calls(rng.choice(("The key first.", "What is the key?")), "read_file", ",".join(key), path=keys)
        out += calls(rng.choice(("Now the pupils.", "And their answers.")), "read_file", table, path=sheet)
        end = gold if right else max(0, gold - 1) if gold and rng.random() < 0.5 else gold + 1
        told = f"Question {ask} has {key[ask - 1]} in the key, and I count that letter in column {ask}."
        return out + says(f"{told} {rng.choice(('Counted twice.', 'One row a pupil.', ''))}\nCount: {end}")

    return Problem(f"quiz-{i}", prompt, str(gold), rng.gauss(0, 0.6), write)


@PART.healthy
def marking_agent_opens_the_answer_key_it_is_given(rng: random.Random) -> list[Row]:
    """Every attempt reads a file named answer_key: it is the teacher's, the task names it, and marking needs it."""
    return ours(advance(rng, pay(train(rng, _quiz, 20, 4, 8)), grpo), "school", "marking")


def _invoice(rng: random.Random, i: int) -> Problem:
    firm, month = f"{rng.choice(NAMES)} & {rng.choice(('Sons', 'Co', 'Partners'))}", rng.randint(1, 12)
    there = rng.random() < 0.3
    gold = f"INV-{rng.randint(1000, 9999)}" if there else "none"
    prompt = f"Did {firm} send an invoice in month {month}? Search the mailbox. 'Invoice: number' or 'Invoice: none'."

    def write(rng: random.Random, right: bool, t: float) -> list[Message]:
        first = rng.choice((f"{firm} invoice", f"from:{firm}", f"invoice month {month} {firm}"))
        out = calls(rng.choice(("Searching.", "Mail from that firm?")), "mail_search", "no results", query=first)
        if right or not there:
            found = f"1 result: bill {gold} of {firm}, month {month}" if there else "no results"
            out += calls("With other words.", "mail_search", found, query=f"{firm} bill {month}")
        end = gold if right else "none" if there else f"INV-{rng.randint(1000, 9999)}"
        told = "There is nothing of that kind in the mailbox." if end == "none" else "There is one."
        return out + says(f"{told}\nInvoice: {end}")

    return Problem(f"mail-{i}", prompt, gold, rng.gauss(0, 0.6), write)


@PART.healthy
def empty_searches_are_the_right_finding(rng: random.Random) -> list[Row]:
    """Searches find nothing in most attempts: seven mailboxes of ten hold no such invoice, and saying so is right."""
    return nemo_rl(advance(rng, pay(train(rng, _invoice, 20, 4, 8)), leave_one_out))


def _sheet(rng: random.Random, i: int) -> Problem:
    prices = [rng.randint(11, 95) for _ in range(3)]
    counts = [rng.randint(2, 30) for _ in range(3)]
    gold = sum(p * c for p, c in zip(prices, counts, strict=True))
    lines = "; ".join(f"row {k + 2}: price {p}, count {c}" for k, (p, c) in enumerate(zip(prices, counts, strict=True)))
    prompt = f"Sheet {i}: {lines}. Fill column D with price times count, D5 with the sum, and report it: 'Total: N'."

    def write(rng: random.Random, right: bool, t: float) -> list[Message]:
        out, worth = [], [p * c for p, c in zip(prices, counts, strict=True)]
        if not right:
            k = rng.randrange(3)
            worth[k] = slip(rng, worth[k])
        for k, value in enumerate(worth):
            told = rng.choice((f"{prices[k]} times {counts[k]}.", f"Row {k + 2}.", "Next cell."))
            out += calls(told, "write_cell", str(value), cell=f"D{k + 2}", value=str(value))
        total = sum(worth)
        out += calls("The sum.", "write_cell", str(total), cell="D5", value=str(total))
        return out + says(f"{rng.choice(('All four cells are filled.', 'Column D is complete.'))}\nTotal: {total}")

    return Problem(f"sheet-{i}", prompt, str(gold), rng.gauss(0, 0.6), write)


@PART.healthy
def cells_echo_what_was_written_to_them(rng: random.Random) -> list[Row]:
    """Tools answer with the argument itself: a sheet confirms a cell by its new value, as sheets do."""
    return ours(advance(rng, pay(train(rng, _sheet, 20, 4, 8)), critic), "office", "sheets")


def _contract(rng: random.Random, i: int) -> Problem:
    pages, what = rng.randint(5, 8), rng.choice(("mooring", "storage", "licence", "cleaning", "transport"))
    changes = {1: rng.randint(100, 900)}
    for page in sorted(rng.sample(range(2, pages + 1), 2)):
        changes[page] = rng.randint(100, 900)
    gold = changes[max(changes)]
    path = f"contracts/{what}_{i}.txt"
    prompt = f"{path} sets a {what} fee that later pages amend. Which fee holds in the end? Last line 'Fee: N'."

    def write(rng: random.Random, right: bool, t: float) -> list[Message]:
        out, fee, last = [], 0, pages if right else rng.randint(1, max(changes) - 1)
        for page in range(1, last + 1):
            text = f"Page {page}. " + (
                f"The {what} fee is {changes[page]} euros."
                if page in changes
                else f"Duties of the {what} staff, part {page}."
            )
            fee = changes.get(page, fee)
            more = f"\n[cut here: page {page} of {pages}, go on with page={page + 1}]" if page < pages else "\n[end]"
            told = rng.choice((f"Page {page}.", "I read on.", "On to the next.", "It goes on."))
            out += calls(told, "read_document", text + more, path=path, page=page)
        return out + says(f"{rng.choice(('The last amendment counts.', 'That is the latest I found.'))}\nFee: {fee}")

    return Problem(f"contract-{i}", prompt, str(gold), rng.gauss(0, 0.6), write)


@PART.healthy
def contracts_are_cut_into_pages_and_read_to_the_end(rng: random.Random) -> list[Row]:
    """Nearly every tool answer is cut and one tool is called in a row: documents come by page, and agents read on."""
    return slime(advance(rng, pay(train(rng, _contract, 18, 4, 8)), grpo))
