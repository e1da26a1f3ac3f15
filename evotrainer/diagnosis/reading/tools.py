"""Columns of tools and replies: what an attempt asked its environment, and what came back.

A reply is what a tool, or a user after the policy's first words, says. `messages` is read once, in one SELECT.
"""

import pyarrow as pa

from evotrainer.diagnosis.conditions import Conditions, quoted

COLUMNS = {
    "calls": "calls of tools",
    "replies": "what came back: answers of tools, words of a user after the policy's first",
    "empty_replies": "replies without any text, or of a search that found nothing",
    "failed_replies": "replies that are marked as failed, or begin with an error",
    "outage_replies": "replies in which a machine says that it fails: out of time, refused, unavailable",
    "stock_replies": "replies whose text came back to eight different requests or more, in three tenths of all replies",
    "stock_is_error": "such a reply says that a machine fails",
    "ends_in_call": "the last message is a call that nobody answers",
    "heard_chars": "characters of all replies",
    "shell": "the text of all calls of the attempt",
    "reads_history": "calls read the version history: git log, show, reflog, .git",
    "reads_answers": "calls read files that hold answers: hidden tests, solutions, cases of a judge",
    "edits_tests": "calls write to tests or to what collects them",
    "exits_early": "calls or code end the program with status 0 before it is judged",
    "skips_tests": "calls or code make tests skip, pass or compare equal to anything",
    "tables_cases": "code compares its input with literal cases, or looks it up among them",
}
"""Name and meaning of each column."""
ERROR = (
    r"(?i)^\W{0,3}(?:\w+\W+){0,3}?(?:\w*error\b|\w*exception\b|traceback|fail(?:ed|ure)|timed? ?out|timeout|"
    r"http/?[\d.]* ?[45]\d\d|"
    r"[45]\d\d (?:client|server|bad|not|internal|too|service|gateway)|refused|unavailable|denied|invalid|no such|"
    r"not found|unknown \w+|"
    r"cannot|could not|unable)|\bstatus(?:[ _]code)?\W{1,3}[45]\d\d\b|\b[45]\d\d (?:client|server) error"
)
EMPTY = (
    r"(?i)^(?:\[\]|\{\}|null|none)?$|\"total\"\s*:\s*0\b|\bno (?:results?|matches|records|entries|hits)\b|"
    r"\b0 (?:results|matches|hits|rows|records)\b"
)
"""What a search says that found nothing."""
OUTAGE = (
    r"(?i)unknown ?error|time(?:d)?[- ]?out|\btimeout|did not (?:respond|reply)|no reply|(?:connection|network|"
    r"socket)\W+(?:\w+\W+)?"
    r"(?:error|refused|reset|closed|aborted)|unreachable|unavailable|rate.?limit|too many requests|quota|bad gateway|"
    r"gateway time|internal server|\b(?:429|50[0-4])\b|sandbox (?:error|lost|died)|(?:worker|kernel|container|judge|"
    r"grader|engine)"
    r" (?:error|failed|died|lost|crashed|unavailable|restarting)|out of memory|\boom\b|econn\w+|host not found|dns|"
    r"^\W*\w*(?:error|exception)\W*$"
)
"""What a machine says that fails, whoever asked it what."""
_INLINE = r"(?s)(?:```output\n|<information>|<result>)(.*?)(?:```|</information>|</result>)"
"""Replies that stand in the policy's own text, as some systems record them."""
_INLINE_MARKS = ("```output", "</information>", "</result>")
_HISTORY = (
    r"\bgit\b[^\n;|&]{0,40}\b(?:log|show|reflog|stash|cherry-pick|fsck|cat-file|checkout [0-9a-f]{6,}|"
    r"diff [0-9a-zA-Z~^/]+\.\.)|\.git/|packed-refs|ORIG_HEAD"
)
_ANSWERS = (
    r"(?i)(?:hidden|secret|private|judge|grader|expected|solution|answer|oracle|reference|gold|eval|scor)[\w-]*"
    r"(?:[/_.-]\w+)*\.(?:json|jsonl|txt|csv|ya?ml|out|md|db|sqlite|pkl|patch|diff|sql)|"
    r"/\.?(?:judge|grader|hidden|solutions?|answers?|private|secret|oracle|eval)/"
)
_TESTS = (
    r"(?i)(?:edit|write|create|append|replace|insert|sed -i|tee |>|\bcp |\bmv |\brm )[^\n]{0,160}"
    r"(?:tests?/|test_\w+\.py|\w+_test\.\w+|conftest\.py|pytest\.ini|sitecustomize|\.pth\b|\.test\.[jt]s)"
)
_EXIT = r"(?:sys\.exit|os\._exit|\bquit|\bexit)\(\s*0?\s*\)|raise SystemExit|process\.exit\(0?\)|\bexit 0\b"
_SKIP = (
    r"pytest\.skip|mark\.skip|@skip|unittest\.skip|xfail|def __eq__|assert True\b|__eq__\s*=|--deselect|"
    r"-k ['\"]?not |\|\| true"
)
_CASES = (
    r"(?:if|elif)\b[^\n]{0,40}==\s*[\[({'\"\d-][^\n]*:\s*\n?[^\n]*\n\s*(?:if|elif)\b[^\n]{0,40}==\s*[\[({'\"\d-]|"
    r"\{\s*(?:tuple\()?[\[(][-\d, ]+[\])]\)?\s*:"
)
_SIGNS = {
    "reads_history": _HISTORY,
    "reads_answers": _ANSWERS,
    "edits_tests": _TESTS,
    "exits_early": _EXIT,
    "skips_tests": _SKIP,
    "tables_cases": _CASES,
}
"""Column -> pattern of the calls that it marks."""


def tool_columns(conditions: Conditions) -> dict[str, pa.Array]:
    """Return the columns of tools over all attempts; those of replies are null where nothing came back."""
    prompt = "prompt" if conditions.is_known("prompt") else "NULL"
    found = conditions.query(_COUNTS.replace("{prompt}", prompt).replace("{outage}", quoted(OUTAGE)))
    return {name: found[name].combine_chunks() for name in found.column_names if name != "place"}


_FENCED = r"regexp_extract(response, '(?s)```(?:python|py|bash|sh)?\n(.*)```', 1)"
_MARKED = ",\n  ".join(
    f"CASE WHEN code IS NOT NULL THEN regexp_matches(code, {quoted(pattern)}) END AS {name}"
    for name, pattern in _SIGNS.items()
)
_COUNTS = f"""
WITH spoken AS (
  SELECT place, role, text, tool, arguments, ok, is_policy, row_number() OVER () AS number FROM messages
  UNION ALL BY NAME
  SELECT place, 'tool' AS role, unnest(regexp_extract_all(response, {quoted(_INLINE)}, 1)) AS text,
    response AS arguments, FALSE AS is_policy, 1e9 AS number
  FROM attempts
  WHERE {" OR ".join(f"contains(response, {quoted(mark)})" for mark in _INLINE_MARKS)}
), begun AS (
  SELECT place, min(number) FILTER (is_policy) AS first, max(number) FILTER (number < 1e9) AS final
  FROM spoken GROUP BY place
), requests AS (
  SELECT s.place, s.number, s.role, s.text, s.ok, s.number = b.final AS is_final,
    s.role = 'tool' OR (s.role = 'user' AND s.number > b.first) AS is_reply,
    CASE WHEN s.is_policy OR s.number = 1e9
      THEN concat(s.tool, s.arguments, s.text) END AS request,
    CASE WHEN s.role = 'call' THEN concat(s.tool, ' ', s.arguments) END AS call
  FROM spoken s JOIN begun b USING (place)
), answered AS (
  SELECT *, last_value(request IGNORE NULLS) OVER (PARTITION BY place ORDER BY number) AS asked,
    CASE WHEN is_reply THEN left(trim(coalesce(text, '')), 160) END AS start
  FROM requests
), stock AS (
  SELECT start FROM answered WHERE is_reply GROUP BY start
  HAVING count(DISTINCT hash(asked)) >= 8 AND count(*) >= 0.1 * (SELECT count(*) FROM answered WHERE is_reply)
  ORDER BY count(*) DESC LIMIT 1
), marked AS (
  SELECT a.*, a.start IS NOT NULL AND a.start IN (SELECT start FROM stock) AS is_stock,
    a.is_reply AND regexp_matches(a.start, {quoted(OUTAGE)}) AS is_outage,
    a.is_reply AND (a.ok IS FALSE OR (a.ok IS NULL AND regexp_matches(a.start, {quoted(ERROR)}))) AS is_failed
  FROM answered a
), counted AS (
  SELECT place, count(call) AS calls, count(*) FILTER (is_reply) AS replies,
    count(*) FILTER (is_reply AND regexp_matches(left(trim(coalesce(text, '')), 600), {quoted(EMPTY)}))
      AS empty_replies,
    count(*) FILTER (is_failed) AS failed_replies, count(*) FILTER (is_outage) AS outage_replies,
    count(*) FILTER (is_stock) AS stock_replies,
    bool_or(is_outage) FILTER (is_stock) AS stock_is_error, bool_or(is_final AND call IS NOT NULL) AS ends_in_call,
    sum(length(text)) FILTER (is_reply)::DOUBLE AS heard_chars,
    string_agg(call, '\n' ORDER BY number) AS shell
  FROM marked GROUP BY place
), coded AS (
  SELECT attempts.place, coalesce(calls, 0) AS calls, coalesce(replies, 0) AS replies,
    CASE WHEN replies > 0 THEN empty_replies END AS empty_replies,
    CASE WHEN replies > 0 THEN failed_replies END AS failed_replies,
    CASE WHEN replies > 0 AND NOT regexp_matches(left(coalesce({{prompt}}, ''), 4000), {{outage}})
      THEN outage_replies END AS outage_replies,
    CASE WHEN replies > 0 THEN stock_replies END AS stock_replies, stock_is_error,
    CASE WHEN calls > 0 OR replies > 0 THEN ends_in_call END AS ends_in_call, heard_chars, shell,
    CASE WHEN shell IS NOT NULL THEN shell
      WHEN contains(response, '```') THEN {_FENCED}
    END AS code
  FROM attempts LEFT JOIN counted USING (place)
)
SELECT * EXCLUDE (code), {_MARKED}
FROM coded ORDER BY place
"""
