"""How columns of a frame are named that hold one entry of a mapping each (frames.py); it loads no pandas."""

TERM_PREFIX = "term_"
CHECK_PREFIX = "check_"
