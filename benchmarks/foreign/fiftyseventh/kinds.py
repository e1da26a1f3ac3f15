"""The fifty-seventh part: runs that a consultant for RL post-training was called to because something was odd."""

from benchmarks.foreign.entering import Part

PART = Part()
