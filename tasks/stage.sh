#!/bin/sh
# Runs one stage with the code of the tree this file lies in: sh tasks/stage.sh STAGE SUBJECT
# Python: $EVOTRAINER_PYTHON, else the .venv of the main checkout (a campaign is a worktree of it), else python3.
# A flow that keeps a warm process for its stages names the socket in $EVOTRAINER_WARM.
root=$(CDPATH= cd -- "${0%/*}/.." && pwd -P)
if [ -z "$EVOTRAINER_PYTHON" ]; then
    common=$(git -C "$root" rev-parse --path-format=absolute --git-common-dir 2>/dev/null)
    EVOTRAINER_PYTHON=${common%/.git}/.venv/bin/python
    [ -x "$EVOTRAINER_PYTHON" ] || EVOTRAINER_PYTHON=$(command -v python3)
fi
export EVOTRAINER_PYTHON PYTHONPATH="$root"
if [ -n "$EVOTRAINER_WARM" ] && [ -S "$root/$EVOTRAINER_WARM" ]; then
    exec "$EVOTRAINER_PYTHON" -I -S "$root/tasks/running/warm_stages.py" "$root" "$@"
fi
exec "$EVOTRAINER_PYTHON" -m tasks "$@"
