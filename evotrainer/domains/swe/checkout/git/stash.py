"""git stash: changes put aside and brought back."""

from collections.abc import Callable, Sequence

from evotrainer.domains.swe.checkout.git.head_commands import switch_to
from evotrainer.domains.swe.checkout.git.log import subject
from evotrainer.domains.swe.checkout.git.options import GitError, parse, whole_number
from evotrainer.domains.swe.checkout.git.revisions import short
from evotrainer.domains.swe.checkout.git.tree_commands import branch_name, commit_files, file_changes, rendered
from evotrainer.domains.swe.checkout.git.trees import read_commit
from evotrainer.domains.swe.checkout.working_copy import Stash, WorkingCopy


def stash(copy: WorkingCopy, arguments: Sequence[str]) -> str:
    """Answer `git stash push | list | show | apply | pop | drop | clear`."""
    name, *rest = arguments if arguments and not arguments[0].startswith("-") else ("push", *arguments)
    actions: dict[str, Callable[[WorkingCopy, Sequence[str]], str]] = {
        "push": _push,
        "list": _list,
        "show": _show,
        "apply": _apply,
        "pop": _pop,
        "drop": _drop,
        "clear": _clear,
    }
    if name not in actions:
        raise GitError(f"error: git stash {name} is not there: use {', '.join(actions)}")
    return actions[name](copy, rest)


def _push(copy: WorkingCopy, arguments: Sequence[str]) -> str:
    options = parse("stash push", arguments, "-q --quiet", "-m --message")
    if options.words or options.paths:
        raise GitError("error: git stash push takes no paths here")
    state = copy.git
    head = commit_files(copy, state.head)
    here = {path: text for path, text in copy.files.items() if path in state.index or path in head}
    if state.index == head and here == head:
        return "No local changes to save\n"
    place = branch_name(copy) or "(no branch)"
    about = f"{place}: {short(state.head)} {subject(read_commit(state.objects, state.head))}"
    index = state.write_commit(state.index, copy.repository.modes, [state.head], f"index on {about}")
    told = options.value("-m", "--message")
    message = f"On {place}: {told}" if told else f"WIP on {about}"
    kept = state.write_commit(here, copy.repository.modes, [state.head, index], message)
    state.stashes.insert(0, Stash(kept, message))
    switch_to(copy, "HEAD", is_forced=True, is_logged=False)
    state.reflog.insert(0, (state.head, "reset: moving to HEAD"))
    return f"Saved working directory and index state {message}\n"


def _list(copy: WorkingCopy, arguments: Sequence[str]) -> str:
    parse("stash list", arguments)
    return "".join(f"stash@{{{number}}}: {entry.message}\n" for number, entry in enumerate(copy.git.stashes))


def _show(copy: WorkingCopy, arguments: Sequence[str]) -> str:
    options = parse("stash show", arguments, "-p -u --patch --stat --name-only --name-status")
    entry = copy.git.stashes[_number(copy, options.words)]
    parent = read_commit(copy.git.objects, entry.commit).parents[0]
    changes = file_changes(copy, commit_files(copy, parent), commit_files(copy, entry.commit))
    return rendered(changes, options if options.flags else parse("stash show", ["--stat"], "--stat"))


def _apply(copy: WorkingCopy, arguments: Sequence[str]) -> str:
    options = parse("stash apply", arguments, "-q --quiet")
    entry = copy.git.stashes[_number(copy, options.words)]
    old = commit_files(copy, read_commit(copy.git.objects, entry.commit).parents[0])
    new = commit_files(copy, entry.commit)
    changed = [path for path in sorted({*old, *new}) if old.get(path) != new.get(path)]
    if any(copy.files.get(path) != old.get(path) for path in changed):
        raise GitError("error: Your local changes to the following files would be overwritten by merge:")
    for path in changed:
        if path in new:
            copy.files[path] = new[path]
            if path not in old:
                copy.git.index[path] = new[path]
        else:
            copy.files.pop(path, None)
    return f"Applied {entry.message}\n"


def _pop(copy: WorkingCopy, arguments: Sequence[str]) -> str:
    return _apply(copy, arguments) + _drop(copy, arguments)


def _drop(copy: WorkingCopy, arguments: Sequence[str]) -> str:
    options = parse("stash drop", arguments, "-q --quiet")
    number = _number(copy, options.words)
    entry = copy.git.stashes.pop(number)
    return f"Dropped stash@{{{number}}} ({entry.commit})\n"


def _clear(copy: WorkingCopy, arguments: Sequence[str]) -> str:
    parse("stash clear", arguments)
    copy.git.stashes.clear()
    return ""


def _number(copy: WorkingCopy, words: Sequence[str]) -> int:
    if not copy.git.stashes:
        raise GitError("No stash entries found.")
    text = words[0].removeprefix("stash@{").removesuffix("}") if words else "0"
    number = whole_number(text)
    if number is None or number >= len(copy.git.stashes):
        raise GitError(f"error: {words[0]} is not a valid reference")
    return number
