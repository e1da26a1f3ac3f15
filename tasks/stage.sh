#!/bin/sh
# Runs one stage with the code of the tree this file lies in: sh tasks/stage.sh STAGE SUBJECT
# Python: $EVOTRAINER_PYTHON, else the .venv of the main checkout (a campaign is a worktree of it), else python3.
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd -P)
common=$(git -C "$root" rev-parse --path-format=absolute --git-common-dir 2>/dev/null)
python=${EVOTRAINER_PYTHON:-${common%/.git}/.venv/bin/python}
[ -x "$python" ] || python=python3
PYTHONPATH="$root" PYTHONDONTWRITEBYTECODE=1 exec "$python" -m tasks "$@"
