"""Identity of repository problems, the built-in set, and scripted episodes over its repositories."""

import pytest

from evotrainer.domains.swe.rows import identity_of
from tests.frozen_problems import by_family, scripts
from tests.swe_problems import grade

pytestmark = pytest.mark.parts

PATCH = '''diff --git a/shop/price.py b/shop/price.py
--- a/shop/price.py
+++ b/shop/price.py
@@ -4,6 +4,6 @@

 def get_price(rates):
     """Return the sum of the rates above 3."""
-    return sum(x for x in rates if x < 3)
+    return sum(x for x in rates if x > 3)

'''


def test_renaming_a_repository_changes_nothing_of_its_identity():
    renamed = PATCH.replace("shop/price", "lab/crop").replace("get_price", "make_crop").replace("rates", "costs")
    renamed = renamed.replace("x ", "item ").replace("@@ -4,6 +4,6", "@@ -9,6 +9,6")
    assert renamed != PATCH
    assert identity_of(renamed) == identity_of(PATCH)


@pytest.mark.parametrize("old, new", [("sum", "max"), ("x < 3", "x <= 4"), ("sum(x for", "sum(abs(x) for")])
def test_another_change_has_another_identity(old, new):
    other = PATCH.replace(old, new)
    assert identity_of(other) != identity_of(PATCH)


def test_attributes_and_words_of_docstrings_are_no_names():
    text = identity_of(PATCH.replace("sum(x for x in rates", "sum(x.total() for x in rates"))
    assert ".total()" in text
    assert "Return the sum of the name1 above 3." in text


SMALL = by_family("swe", "test")


@pytest.mark.parametrize("family", SMALL)
def test_scripted_policies_end_as_they_should(family):
    for script in scripts(SMALL[family]):
        found = grade(SMALL[family], [(call.name, call.arguments) for call in script.calls])
        assert (found.correct == 1.0) == script.solves, f"{script.name}: {SMALL[family].answer}"
