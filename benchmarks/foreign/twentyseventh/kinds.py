"""The kinds of the twenty-seventh part, entered by the modules beside this one."""

from benchmarks.foreign.entering import Part

PART = Part()
