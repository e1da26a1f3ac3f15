"""The twenty-fifth part: faults that were reported of environments, graders, data, sandboxes, judges and tools."""

from benchmarks.foreign.entering import Part

PART = Part()
