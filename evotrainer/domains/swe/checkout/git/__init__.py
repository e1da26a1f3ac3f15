"""Real git in an episode: which command lines are taken (commands.py), and how one runs (command.py, inside.py)."""
