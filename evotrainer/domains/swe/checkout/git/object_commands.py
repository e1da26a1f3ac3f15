"""git branch, tag, rev-parse, cat-file, ls-files, ls-tree, grep, blame, fsck: names, objects and their contents."""

from collections.abc import Sequence

from evotrainer.domains.swe.checkout.git.log import moment, subject, walk
from evotrainer.domains.swe.checkout.git.options import GitError, Options, parse, whole_number
from evotrainer.domains.swe.checkout.git.patches import quoted
from evotrainer.domains.swe.checkout.git.posix_patterns import LinePattern
from evotrainer.domains.swe.checkout.git.revisions import (
    commit_of,
    find_commit,
    find_object,
    missing,
    short,
    split_words,
)
from evotrainer.domains.swe.checkout.git.tree_commands import branch_name, commit_files
from evotrainer.domains.swe.checkout.git.trees import entries, matches, read_commit
from evotrainer.domains.swe.checkout.git.xdiff import changed_lines
from evotrainer.domains.swe.checkout.objects import Entry, decode, decode_tree, encode
from evotrainer.domains.swe.checkout.working_copy import WorkingCopy, inside

_TOLD_BINARY_BYTES = 8000
"""git takes a file for a binary one by a zero byte among these."""


def branch(copy: WorkingCopy, arguments: Sequence[str]) -> str:
    """Answer `git branch`: list local (-r remote, -a all) branches, or make or delete (-D) one."""
    options = parse("branch", arguments, "-a --all -r --remotes -l --list -v --show-current -D -d --delete")
    state = copy.git
    if options.has("--show-current"):
        return f"{branch_name(copy)}\n" if branch_name(copy) else ""
    if options.words:
        return _change_branch(copy, options.words, is_deleted=options.has("-D", "-d", "--delete"))
    rows = []
    if not options.has("-r", "--remotes"):
        rows += [] if branch_name(copy) else [("*", _detached(copy), state.head)]
        rows += _branches(copy, "refs/heads/", "")
    if options.has("-r", "--remotes", "-a", "--all"):
        rows += _branches(copy, "refs/remotes/", "" if options.has("-r", "--remotes") else "remotes/")
    width = max((len(name) for _, name, _ in rows), default=0)
    about = {commit: f" {short(commit)} {subject(read_commit(state.objects, commit))}" for _, _, commit in rows}
    is_long = options.has("-v")
    return "".join(
        f"{mark} {name:<{width}}{about[commit]}\n" if is_long else f"{mark} {name}\n" for mark, name, commit in rows
    )


def _detached(copy: WorkingCopy) -> str:
    name, commit = copy.git.detached_at
    return f"(HEAD detached {'at' if commit == copy.git.head else 'from'} {name})"


def _branches(copy: WorkingCopy, prefix: str, shown: str) -> list[tuple[str, str, str]]:
    return [
        ("*" if ref == copy.git.head_ref else " ", shown + ref.removeprefix(prefix), commit)
        for ref, commit in sorted(copy.git.refs.items())
        if ref.startswith(prefix)
    ]


def _change_branch(copy: WorkingCopy, words: Sequence[str], *, is_deleted: bool) -> str:
    state, ref = copy.git, f"refs/heads/{words[0]}"
    if not is_deleted:
        if ref in state.refs:
            raise GitError(f"fatal: a branch named '{words[0]}' already exists")
        state.refs[ref] = commit_of(state, words[1] if len(words) > 1 else "HEAD")
        return ""
    if ref not in state.refs:
        raise GitError(f"error: branch '{words[0]}' not found.")
    if ref == state.head_ref:
        raise GitError(f"error: Cannot delete branch '{words[0]}' checked out here")
    return f"Deleted branch {words[0]} (was {short(state.refs.pop(ref))}).\n"


def tag(copy: WorkingCopy, arguments: Sequence[str]) -> str:
    """Answer `git tag`: the names of all tags."""
    options = parse("tag", arguments, "-l --list")
    if options.words:
        raise GitError("error: tags can only be listed here")
    names = [ref.removeprefix("refs/tags/") for ref in sorted(copy.git.refs) if ref.startswith("refs/tags/")]
    return "".join(f"{name}\n" for name in names)


def rev_parse(copy: WorkingCopy, arguments: Sequence[str]) -> str:
    """Answer `git rev-parse`: the ids of names."""
    options = parse("rev-parse", arguments, "--short --abbrev-ref --verify --show-toplevel --is-inside-work-tree -q")
    if options.has("--show-toplevel"):
        raise GitError("error: paths are relative to the repository's top here")
    if options.has("--is-inside-work-tree"):
        return "true\n"
    lines = []
    for word in options.words:
        found = find_object(copy, word)
        if found is None:
            raise (
                GitError("fatal: Needed a single revision")
                if options.has("--short", "--verify")
                else missing(copy, word)
            )
        name = branch_name(copy) if options.has("--abbrev-ref") and word in ("HEAD", "@") else None
        lines.append(name or (word if options.has("--abbrev-ref") else found.object_id))
    return "".join(f"{short(line) if options.has('--short') else line}\n" for line in lines)


def cat_file(copy: WorkingCopy, arguments: Sequence[str]) -> str:
    """Answer `git cat-file -p | -t | -s | -e | blob | tree | commit OBJECT`."""
    options = parse("cat-file", arguments, "-p -t -s -e")
    if not options.words:
        raise GitError("usage: git cat-file (-p | -t | -s | -e) <object>")
    name = options.words[-1]
    found = find_object(copy, name)
    if found is None:
        raise missing(copy, name) if ":" in name else GitError(f"fatal: Not a valid object name {name}")
    kind, data = copy.git.objects.read(found.object_id)
    if options.has("-e"):
        return ""
    if options.has("-t", "-s"):
        return f"{kind if options.has('-t') else len(data)}\n"
    if kind == "tree":
        return "".join(f"{_tree_line(name, entry)}\n" for name, entry in decode_tree(data).items())
    return decode(data)


def _tree_line(name: str, entry: Entry) -> str:
    mode, object_id = entry.mode, entry.object_id
    kind = {"40000": "tree", "160000": "commit"}.get(mode, "blob")
    return f"{mode:0>6} {kind} {object_id}\t{quoted(name)}"


def ls_tree(copy: WorkingCopy, arguments: Sequence[str]) -> str:
    """Answer `git ls-tree`: the entries of a commit's tree, of all folders with -r."""
    options = parse("ls-tree", arguments, "-r --name-only --name-status")
    if not options.words:
        raise GitError("usage: git ls-tree [-r] <tree-ish> [<path>...]")
    found = find_object(copy, options.words[0])
    if found is None:
        name = options.words[0]
        raise missing(copy, name) if ":" in name else GitError(f"fatal: Not a valid object name {name}")
    objects = copy.git.objects
    kind = objects.read(found.object_id)[0]
    if kind == "blob":
        raise GitError("fatal: not a tree object")
    tree = read_commit(objects, found.object_id).tree if kind == "commit" else found.object_id
    paths = [inside(path) for path in (*options.words[1:], *(options.paths or ()))]
    rows = entries(objects, tree) if options.has("-r") else decode_tree(objects.read(tree)[1]).items()
    is_short = options.has("--name-only", "--name-status")
    return "".join(
        f"{quoted(path) if is_short else _tree_line(path, entry)}\n" for path, entry in rows if matches(path, paths)
    )


def ls_files(copy: WorkingCopy, arguments: Sequence[str]) -> str:
    """Answer `git ls-files`: what the index knows."""
    options = parse("ls-files", arguments, "-c --cached")
    paths = [inside(path, is_folder=True) for path in (*options.words, *(options.paths or ()))]
    return "".join(f"{quoted(path)}\n" for path in sorted(copy.git.index) if not all(paths) or matches(path, paths))


def grep(copy: WorkingCopy, arguments: Sequence[str]) -> str:
    """Answer `git grep`: lines that match a pattern, in the working tree or a commit."""
    options = parse("grep", arguments, "-n --line-number -i --ignore-case -l --name-only -F -E -w", "-e")
    words = list(options.words)
    pattern = options.value("-e")
    if pattern is None and words:
        pattern = words.pop(0)
    if pattern is None:
        raise GitError("fatal: no pattern given")
    revisions, paths = split_words(copy, tuple(words), options.paths)
    wanted = LinePattern(
        pattern,
        is_fixed=options.has("-F"),
        is_extended=options.has("-E"),
        is_word=options.has("-w"),
        folds=options.has("-i", "--ignore-case"),
    )
    sources = [(f"{name}:", commit_files(copy, commit_of(copy.git, name))) for name in revisions]
    sources = sources or [("", {path: text for path, text in copy.files.items() if path in copy.git.index})]
    named = [
        (f"{prefix}{path}", encode(files[path]))
        for prefix, files in sources
        for path in sorted(name for name in files if not all(paths) or matches(name, paths))
    ]
    lines = [line for name, data in named for line in _grepped(name, data, wanted, options)]
    if not lines:
        raise GitError("no match")
    return "".join(f"{line}\n" for line in lines)


def _grepped(name: str, data: bytes, wanted: LinePattern, options: Options) -> list[str]:
    """Return what is said of one file."""
    found = wanted.lines(data)
    if found and options.has("-l", "--name-only"):
        return [name]
    if found and b"\0" in data[:_TOLD_BINARY_BYTES]:
        return [f"Binary file {name} matches"]
    has_numbers = options.has("-n", "--line-number")
    return [f"{name}:{f'{number}:' if has_numbers else ''}{decode(line)}" for number, line in found]


def blame(copy: WorkingCopy, arguments: Sequence[str]) -> str:
    """Answer `git blame`: the commit that brought each line, along first parents."""
    options = parse("blame", arguments, "-s", "-L")
    words = [*options.words, *(options.paths or ())]
    if not 1 <= len(words) <= 2:
        raise GitError("usage: git blame [<rev>] [--] <file>")
    state, revisions, path = copy.git, words[:-1], inside(words[-1])
    start = find_commit(state, revisions[0]) if revisions else state.head
    if start is None:
        raise GitError(f"fatal: bad revision '{revisions[0]}'")
    text = commit_files(copy, start).get(path)
    if text is None:
        place = f"{path} in {revisions[0]}" if revisions else f"'{path}' in HEAD"
        raise GitError(f"fatal: no such path {place}")
    lines, owners = text.splitlines(), _owners(copy, start, path)
    first, last = _line_range(options.value("-L"), len(lines))
    names = {owner: read_commit(state.objects, owner).author.partition(" <")[0] for owner in owners[first - 1 : last]}
    widths = len(str(last)), 0 if options.has("-s") else max((len(name) for name in names.values()), default=0)
    return "".join(
        f"{_blamed(copy, owners[number - 1], widths[1])}{number:>{widths[0]}}) {lines[number - 1]}\n"
        for number in range(first, last + 1)
    )


def _owners(copy: WorkingCopy, start: str, path: str) -> list[str]:
    """Return for each line of a file the oldest commit from which on it stood there."""
    state, commit = copy.git, start
    current = commit_files(copy, commit)[path].splitlines()
    owners, places = [""] * len(current), list(range(len(current)))
    while any(place >= 0 for place in places):
        parents = read_commit(state.objects, commit).parents
        before = (commit_files(copy, parents[0]).get(path) or "").splitlines() if parents else []
        removed, added = changed_lines(before, current)
        kept_old = [number for number, is_removed in enumerate(removed) if not is_removed]
        kept_new = [number for number, is_added in enumerate(added) if not is_added]
        carried = dict(zip(kept_new, kept_old, strict=True))
        for line, place in enumerate(places):
            if place >= 0 and place not in carried:
                owners[line] = commit
        places = [carried.get(place, -1) for place in places]
        current, commit = before, parents[0] if parents else ""
    return owners


def _blamed(copy: WorkingCopy, commit: str, name_width: int) -> str:
    """Return what stands before the line number: the commit, and, where names are shown, who and when."""
    values = read_commit(copy.git.objects, commit)
    name = commit[:8] if values.parents else f"^{commit[:7]}"
    if not name_width:
        return f"{name} "
    when = f"{moment(values.author):%Y-%m-%d %H:%M:%S %z}"
    return f"{name} ({values.author.partition(' <')[0]:<{name_width}} {when} "


def _line_range(value: str | None, length: int) -> tuple[int, int]:
    if value is None:
        return 1, length
    first, _, last = value.partition(",")
    start, count = whole_number(first), whole_number(last.removeprefix("+") if last else str(length))
    if start is None or count is None:
        raise GitError("fatal: -L takes START,END")
    if not 1 <= start <= length:
        raise GitError(f"fatal: file has only {length} lines")
    return start, min(start + count - 1 if last.startswith("+") else count, length)


def fsck(copy: WorkingCopy, arguments: Sequence[str]) -> str:
    """Answer `git fsck`: the commits of this episode that no name leads to any more. No others are there."""
    options = parse("fsck", arguments, "--lost-found --unreachable --full --no-reflogs --dangling")
    state = copy.git
    starts = [state.head, *state.refs.values(), *(entry.commit for entry in state.stashes)]
    starts += [] if options.has("--no-reflogs") else [commit for commit, _ in state.reflog]
    reached = {commit for commit, _ in walk(state, list(dict.fromkeys(starts)))}
    made = [name for name in state.new_objects.complete("") if state.objects.read(name)[0] == "commit"]
    word = "unreachable" if options.has("--unreachable") else "dangling"
    return "".join(f"{word} commit {name}\n" for name in made if name not in reached)
