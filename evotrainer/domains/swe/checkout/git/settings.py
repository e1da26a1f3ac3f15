"""The settings of git in an episode: one configuration, one environment, nothing of the machine or its user."""

AUTHOR_NAME, AUTHOR_EMAIL = "Dev", "dev@example.com"

CONFIG = """\
[core]
\trepositoryformatversion = 0
\tbare = false
\tlogAllRefUpdates = true
\tabbrev = 7
\thooksPath = /dev/null
\tattributesFile = /dev/null
\texcludesFile = /dev/null
\tfsmonitor = false
\tpager = cat
\tautocrlf = false
\tpackedGitWindowSize = 32m
\tpackedGitLimit = 256m
\tfsync = none
[advice]
\tdetachedHead = false
\tstatusHints = false
\tresetNoRefresh = false
\taddIgnoredFile = false
\taddEmptyPathspec = false
\tmergeConflict = false
\tsequencerInUse = false
[branch]
\tautoSetupMerge = false
[commit]
\tgpgSign = false
[fastimport]
\tunpackLimit = 0
[fetch]
\trecurseSubmodules = false
[gc]
\tauto = 0
[grep]
\tthreads = 1
[index]
\tthreads = 1
[log]
\tshowSignature = false
[maintenance]
\tauto = false
[pack]
\tthreads = 1
[protocol]
\tallow = never
[submodule]
\trecurse = false
[user]
\tuseConfigOnly = true
"""
"""The file .git/config of a checkout. No command line that is taken changes it, and no tool can."""


def environment(seconds: int) -> dict[str, str]:
    """Return the environment of a command that is given at a time, in seconds since 1970."""
    who = {"NAME": AUTHOR_NAME, "EMAIL": AUTHOR_EMAIL, "DATE": f"{seconds} +0000"}
    return {
        **{f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in who.items()},
        "GIT_TEST_DATE_NOW": str(seconds),  # git's own clock for relative dates
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_EDITOR": ":",
        "GIT_PAGER": "cat",
        "HOME": "/dev/null",
        "LC_ALL": "C",
        "TZ": "UTC",
    }
