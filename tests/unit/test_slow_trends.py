"""The line of a slow trend is that of scipy, which takes a second to import."""

import numpy as np
from scipy.stats import linregress

from evotrainer.diagnosis.trends import line_through


def test_the_line_has_the_bits_of_linregress():
    rng = np.random.default_rng(0)
    for count in (3, 4, 17, 300):
        x, y = rng.integers(0, 12, count).astype(float), rng.random(count)
        x[:2] = (0, 1)
        expected, found = linregress(x, y), line_through(x, y)
        assert (found.slope, found.intercept, found.stderr) == (expected.slope, expected.intercept, expected.stderr)


def test_a_flat_line_has_no_slope():
    found = line_through(np.arange(5.0), np.full(5, 0.25))
    assert (found.slope, found.intercept, found.stderr) == (0.0, 0.25, 0.0)
