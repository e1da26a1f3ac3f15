"""git checkout, switch, reset, commit, merge, cherry-pick: what moves HEAD."""

from collections.abc import Sequence

from evotrainer.domains.swe.checkout.git import patches
from evotrainer.domains.swe.checkout.git.log import date, subject, walk
from evotrainer.domains.swe.checkout.git.options import GitError, parse
from evotrainer.domains.swe.checkout.git.revisions import commit_of, find_commit, ref_name, short, split_words, unknown
from evotrainer.domains.swe.checkout.git.tree_commands import (
    add,
    branch_name,
    commit_files,
    file_changes,
    restore_paths,
    tracked,
)
from evotrainer.domains.swe.checkout.git.trees import read_commit
from evotrainer.domains.swe.checkout.working_copy import WorkingCopy

Files = dict[str, str]


def checkout(copy: WorkingCopy, arguments: Sequence[str]) -> str:
    """Answer `git checkout`: files from the index or a commit, or another commit as a whole."""
    options = parse("checkout", arguments, "-q --quiet -f --force --detach", "-b")
    words, paths = list(options.words), options.paths
    if new := options.value("-b"):
        return _create_branch(copy, new, words[0] if words else "HEAD")
    if paths is not None and len(words) > 1:
        raise GitError("fatal: only one reference expected, 2 given.")
    source = words.pop(0) if words and find_commit(copy.git, words[0]) else None
    if paths is not None and words:
        raise GitError(f"fatal: invalid reference: {words[0]}")
    wanted = paths or tuple(words)
    if wanted:
        said = restore_paths(copy, source, wanted, is_index=True, is_tree=True, overlay=True)
        return "" if paths else said
    if source is None:
        return _local_changes(copy, copy.git.head)
    return switch_to(copy, source, is_forced=options.has("-f", "--force"), is_detached=options.has("--detach"))


def switch(copy: WorkingCopy, arguments: Sequence[str]) -> str:
    """Answer `git switch`: another branch, or with --detach another commit."""
    options = parse("switch", arguments, "--detach -d -f --force -q --quiet", "-c --create")
    if new := options.value("-c", "--create"):
        return _create_branch(copy, new, options.words[0] if options.words else "HEAD")
    if len(options.words) != 1:
        raise GitError("fatal: missing branch or commit argument")
    name, is_detached = options.words[0], options.has("--detach", "-d")
    if not is_detached and f"refs/heads/{name}" not in copy.git.refs:
        if find_commit(copy.git, name):
            raise GitError(f"fatal: a branch is expected, got '{name}'")
        raise GitError(f"fatal: invalid reference: {name}")
    return switch_to(copy, name, is_forced=options.has("-f", "--force"), is_detached=is_detached)


def _create_branch(copy: WorkingCopy, name: str, start: str) -> str:
    state, ref = copy.git, f"refs/heads/{name}"
    if ref in state.refs:
        raise GitError(f"fatal: a branch named '{name}' already exists")
    if not name or name.startswith("-") or any(part in name for part in ("..", " ", "~", "^", ":", "\\", "@{", "//")):
        raise GitError(f"fatal: '{name}' is not a valid branch name")
    switch_to(copy, start, is_detached=True, is_logged=False)
    before = branch_name(copy) or state.head
    state.head_ref, state.refs[ref] = ref, state.head
    state.reflog.insert(0, (state.head, f"checkout: moving from {before} to {name}"))
    return f"Switched to a new branch '{name}'\n"


def switch_to(
    copy: WorkingCopy, name: str, *, is_forced: bool = False, is_detached: bool = False, is_logged: bool = True
) -> str:
    """Check a commit out as a whole; local changes of files that differ there are in the way."""
    state = copy.git
    target = commit_of(state, name)
    moved = _merged(copy, target, "checkout") if not is_forced else None
    copy.files, state.index = moved or _forced(copy, target)
    if not is_logged:
        state.head = target
        return ""
    if name == "HEAD" and not is_detached:  # git does not leave the branch for it
        return _local_changes(copy, target)
    was_detached, before = state.head_ref is None, branch_name(copy) or state.head
    left = (
        f"Previous HEAD position was {_described(copy, state.head)}\n" if was_detached and state.head != target else ""
    )
    ref = f"refs/heads/{name}"
    is_branch = ref in state.refs and not is_detached
    said = f"Switched to branch '{name}'\n" if is_branch else f"HEAD is now at {_described(copy, target)}\n"
    said = f"Already on '{name}'\n" if is_branch and ref == state.head_ref else said
    state.head, state.head_ref = target, ref if is_branch else None
    state.detached_at = (ref_name(state, name) or short(target), target)
    state.reflog.insert(0, (target, f"checkout: moving from {before} to {name}"))
    return _local_changes(copy, target) + left + said


def _described(copy: WorkingCopy, commit: str) -> str:
    return f"{short(commit)} {subject(read_commit(copy.git.objects, commit))}"


def _local_changes(copy: WorkingCopy, commit: str) -> str:
    return patches.name_status(file_changes(copy, commit_files(copy, commit), tracked(copy)))


def _merged(copy: WorkingCopy, target: str, verb: str) -> tuple[Files, Files]:
    """Return working tree and index moved from HEAD to another commit, local changes kept; raises GitError where both
    changed a file.
    """
    state = copy.git
    old, new = commit_files(copy, state.head), commit_files(copy, target)
    files, index = dict(copy.files), dict(state.index)
    for path in sorted({*old, *new}):
        if old.get(path) == new.get(path) or index.get(path) == new.get(path):
            continue
        here = files.get(path)
        if path not in index and here is not None:
            raise GitError(f"error: The following untracked working tree files would be overwritten by {verb}:")
        if index.get(path) != old.get(path) or here not in (None, index.get(path)):
            raise GitError(f"error: Your local changes to the following files would be overwritten by {verb}:")
        for place in (files, index):
            if path in new:
                place[path] = new[path]
            else:
                place.pop(path, None)
    return files, index


def _forced(copy: WorkingCopy, target: str) -> tuple[Files, Files]:
    """Return working tree and index as a commit has them; untracked files stay."""
    new = commit_files(copy, target)
    kept = {path: text for path, text in copy.files.items() if path not in copy.git.index}
    return {**kept, **new}, new


def reset(copy: WorkingCopy, arguments: Sequence[str]) -> str:
    """Answer `git reset`: HEAD to another commit, with the index (--mixed), and the working tree too (--hard)."""
    options = parse("reset", arguments, "--hard --soft --mixed -q --quiet")
    revisions, paths = split_words(copy, options.words, options.paths)
    state = copy.git
    target = commit_of(state, revisions[0] if revisions else "HEAD")
    if paths:
        name = revisions[0] if revisions else "HEAD"
        restore_paths(copy, name, paths, is_index=True, is_tree=False, overlay=False)
    elif options.has("--hard"):
        copy.files, state.index = _forced(copy, target)
    elif not options.has("--soft"):
        state.index = commit_files(copy, target)
    if not paths:
        state.move(target, f"reset: moving to {revisions[0] if revisions else 'HEAD'}")
    if options.has("--hard"):
        return f"HEAD is now at {_described(copy, target)}\n"
    if options.has("--soft", "-q", "--quiet"):
        return ""
    changed = file_changes(copy, state.index, tracked(copy))
    return f"Unstaged changes after reset:\n{patches.name_status(changed)}" if changed else ""


def commit(copy: WorkingCopy, arguments: Sequence[str]) -> str:
    """Answer `git commit`: keep the index, or with -a all tracked files, under a message."""
    options = parse("commit", arguments, "-a --all -am -q --quiet --no-verify", "-m --message")
    message = options.value("-m", "--message")
    if options.has("-am"):
        message, options = options.words[0] if options.words else None, options
    elif options.words or options.paths:
        raise GitError("error: git commit takes no paths here")
    if not message or not message.strip():
        raise GitError("error: give a message with -m")
    state = copy.git
    if options.has("-a", "--all", "-am"):
        add(copy, ["-u"])
    changes = file_changes(copy, commit_files(copy, state.head), state.index)
    if not changes:
        raise GitError("nothing to commit")
    new = state.write_commit(state.index, copy.repository.modes, [state.head], message.strip())
    state.move(new, f"commit: {message.strip().splitlines()[0]}")
    place = branch_name(copy) or "detached HEAD"
    total = patches.stat(changes).splitlines()[-1]
    return f"[{place} {short(new)}] {message.strip().splitlines()[0]}\n{total}\n{patches.mode_lines(changes)}"


def merge(copy: WorkingCopy, arguments: Sequence[str]) -> str:
    """Answer `git merge` where HEAD is behind: it moves forward. Histories that parted cannot be joined here."""
    options = parse("merge", arguments, "--ff-only --ff -q --quiet")
    if len(options.words) != 1:
        raise GitError("error: name one commit to merge")
    state = copy.git
    target = find_commit(state, options.words[0])
    if target is None:
        raise GitError(f"merge: {options.words[0]} - not something we can merge")
    if any(name == target for name, _ in walk(state, [state.head])):
        return "Already up to date.\n"
    if not any(name == state.head for name, _ in walk(state, [target])):
        raise GitError("fatal: Not possible to fast-forward, aborting.")
    before, old = short(state.head), commit_files(copy, state.head)
    copy.files, state.index = _merged(copy, target, "merge")
    state.move(target, f"merge {options.words[0]}: Fast-forward")
    changes = file_changes(copy, old, commit_files(copy, target))
    return f"Updating {before}..{short(target)}\nFast-forward\n{patches.stat(changes)}{patches.mode_lines(changes)}"


def cherry_pick(copy: WorkingCopy, arguments: Sequence[str]) -> str:
    """Answer `git cherry-pick` of a commit whose files HEAD has as its parent had them."""
    options = parse("cherry-pick", arguments, "-x -n --no-commit")
    if len(options.words) != 1:
        raise GitError("error: name one commit to pick")
    state = copy.git
    picked = find_commit(state, options.words[0])
    if picked is None:
        raise unknown(options.words[0])
    values = read_commit(state.objects, picked)
    if len(values.parents) != 1:
        raise GitError(f"error: commit {picked} is a merge or a root: it cannot be picked here")
    old, new, head = (commit_files(copy, name) for name in (values.parents[0], picked, state.head))
    changed = [path for path in sorted({*old, *new}) if old.get(path) != new.get(path)]
    if any(state.index.get(path) != head.get(path) or copy.files.get(path) != head.get(path) for path in changed):
        raise GitError("error: your local changes would be overwritten by cherry-pick.")
    if any(head.get(path) != old.get(path) for path in changed):
        raise GitError(f"error: could not apply {_described(copy, picked)}")
    for files in (state.index, copy.files):
        for path in changed:
            if path in new:
                files[path] = new[path]
            else:
                files.pop(path, None)
    if options.has("-n", "--no-commit"):
        return ""
    if not changed:
        raise GitError("The previous cherry-pick is now empty, possibly due to conflict resolution.")
    made = state.write_commit(state.index, copy.repository.modes, [state.head], values.message, values.author)
    state.move(made, f"cherry-pick: {subject(values)}")
    changes = file_changes(copy, head, state.index)
    about = f"[{branch_name(copy) or 'detached HEAD'} {short(made)}] {subject(values)}\n Date: {date(values.author)}\n"
    return f"{about}{patches.stat(changes).splitlines()[-1]}\n{patches.mode_lines(changes)}"
