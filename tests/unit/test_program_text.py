"""Reading a program out of an answer, and what its text gives away."""

import pytest

from evotrainer.domains.code.grader import extract_leniently, extract_program
from evotrainer.domains.code.program_checks import literals


@pytest.mark.parametrize(
    ("response", "program"),
    [
        ("```python\nx\n```", "x\n"),
        ("```\nx\n```", "x\n"),
        ("```py\nx\ny\n```\n", "x\ny\n"),
        ("Here it is:\n```python\nx\n```\nDone.", "x\n"),
        ("x", None),
        ("```python\nx", None),
        ("```python\nx\n```\n```python\ny\n```", None),
        ("```python\n\n```", None),
        ("", None),
        ("```python3 \t\nx\n\ny``` z\n``` \t\n", "x\n\ny``` z\n"),
        ("```python\n```", None),
        ("```python\r\nx\n```", None),
        ("```python\nx\n```\r\n", None),
        ("```python x\ny\n```", None),
        ("```python\nx\n```y", None),
        (" ```python\nx\n ```", None),
        ("```python\nx\n```\n```", None),
        ("```python\n\ufeffx\n```", "x\n"),
    ],
)
def test_the_gate_takes_exactly_one_block(response, program):
    assert extract_program(response) == program


@pytest.mark.parametrize(
    ("response", "program"),
    [
        ("x = 1", "x = 1"),
        ("```python\nx = 1", "\nx = 1"),
        ("x = 1\n```", "x = 1\n"),
        ("```\nx\n```\nor\n```\ny\n```", "\ny\n"),
        ("", None),
        ("```", None),
    ],
)
def test_the_lenient_reading_takes_what_was_meant(response, program):
    assert extract_leniently(response) == program


def test_literals_are_read_of_broken_programs_too():
    assert literals("f(12, 'ab', -3.5, \"c\")\n((") >= {"12", "ab", "3.5", "c"}
    assert literals("(" * 100_000) == frozenset()
    assert "7" not in literals("x" * 60_000 + "\n7")
