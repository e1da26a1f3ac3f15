"""A campaign that is killed at every kill point, or whose disk fills up: it ends as if nothing had happened.

kill_points.c   loaded into every process of a campaign: sees each rename, write, start and end, and ends the campaign
kill_points.py  compiles it, and says by environment variables where it strikes
walk.py         one campaign that is killed at each new kind of point and run again, until it ends
sample.py       some of the points, spread over their kinds
results.py      what a campaign left, as far as a repetition must give it again
"""
