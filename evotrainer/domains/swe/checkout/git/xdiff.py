"""Which lines differ between two texts, exactly as git shows it: Myers' algorithm, then groups slid to where they read
best.

Follows git's xdiff (xprepare.c, xdiffi.c): lines without a match, or with too many, are set aside first; the rest is
compared from both ends; a group of changed lines that could stand in several places is moved to line up with one of
the other side, else by git's indent heuristic. One deviation: git gives up on the shortest script above 256 changed
lines, this does not.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

MAX_MATCHES, SCAN_WINDOW, DISCARD_RATIO = 1024, 100, 4
MAX_SLIDING, MAX_INDENT, MAX_BLANKS = 100, 200, 20
_FAR = 2**62


def changed_lines(old: Sequence[str], new: Sequence[str]) -> tuple[list[bool], list[bool]]:
    """Return for each line of `old` whether it is removed, and for each of `new` whether it is added."""
    left, right = _Side(old), _Side(new)
    _set_aside(left, right)
    _compare(left, right)
    _compact(left, right)
    _compact(right, left)
    return left.changed[: len(old)], right.changed[: len(new)]


class _Side:
    """One text. `changed` has one more entry than there are lines, always False; `kept` are the lines to compare."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.changed = [False] * (len(lines) + 1)
        self.kept: list[int] = []


def _set_aside(left: _Side, right: _Side) -> None:
    """Trim both ends; mark lines that the other side lacks, and lines in their company that it has too often."""
    shortest = min(len(left.lines), len(right.lines))
    start = next((n for n in range(shortest) if left.lines[n] != right.lines[n]), shortest)
    room = shortest - start
    end = next((n for n in range(room) if left.lines[-1 - n] != right.lines[-1 - n]), room)
    counts = Counter(left.lines), Counter(right.lines)
    for side, others in ((left, counts[1]), (right, counts[0])):
        first, last = start, len(side.lines) - end - 1
        limit = min(_rough_root(len(side.lines)), MAX_MATCHES)
        kinds = [0 if not others[line] else 2 if others[line] >= limit else 1 for line in side.lines]
        for place in range(first, last + 1):
            if kinds[place] == 1 or (kinds[place] == 2 and not _is_lost(kinds, place, first, last)):
                side.kept.append(place)
            else:
                side.changed[place] = True


def _rough_root(number: int) -> int:
    root = 1
    while number > 0:
        root, number = root << 1, number >> 2
    return root


def _is_lost(kinds: Sequence[int], place: int, first: int, last: int) -> bool:
    """Whether a line with many matches stands among lines without any."""
    first, last = max(first, place - SCAN_WINDOW), min(last, place + SCAN_WINDOW)
    before = _run(kinds, range(place - 1, first - 1, -1))
    after = _run(kinds, range(place + 1, last + 1))
    if not before[0] or not after[0]:
        return False
    without, many = before[0] + after[0], before[1] + after[1]
    return many * DISCARD_RATIO < many + without


def _run(kinds: Sequence[int], places: range) -> tuple[int, int]:
    """Count lines without a match and with many, from the place itself to the first line with a few."""
    without, many = 0, 1
    for place in places:
        if kinds[place] == 1:
            break
        without, many = without + (kinds[place] == 0), many + (kinds[place] == 2)
    return without, many


def _compare(left: _Side, right: _Side) -> None:
    """Mark what the shortest script removes and adds among the kept lines."""
    first = [left.lines[place] for place in left.kept]
    second = [right.lines[place] for place in right.kept]
    pending = [(0, len(first), 0, len(second))]
    while pending:
        start1, end1, start2, end2 = pending.pop()
        while start1 < end1 and start2 < end2 and first[start1] == second[start2]:
            start1, start2 = start1 + 1, start2 + 1
        while start1 < end1 and start2 < end2 and first[end1 - 1] == second[end2 - 1]:
            end1, end2 = end1 - 1, end2 - 1
        if start1 == end1 or start2 == end2:
            for place in left.kept[start1:end1]:
                left.changed[place] = True
            for place in right.kept[start2:end2]:
                right.changed[place] = True
        else:
            middle1, middle2 = _split(first, start1, end1, second, start2, end2)
            pending += [(middle1, end1, middle2, end2), (start1, middle1, start2, middle2)]


def _split(first: list[str], off1: int, lim1: int, second: list[str], off2: int, lim2: int) -> tuple[int, int]:
    """Return where the shortest script of a box can be cut: paths from both corners meet there. Named as in xdiff."""
    dmin, dmax, fmid, bmid = off1 - lim2, lim1 - off2, off1 - off2, lim1 - lim2
    is_odd = (fmid - bmid) & 1
    fmin = fmax = fmid
    bmin = bmax = bmid
    forward, backward = {fmid: off1}, {bmid: lim1}
    while True:
        fmin, fmax = _widen(forward, fmin, fmax, dmin, dmax, -1)
        for d in range(fmax, fmin - 1, -2):
            i1 = forward[d - 1] + 1 if forward[d - 1] >= forward[d + 1] else forward[d + 1]
            while i1 < lim1 and i1 - d < lim2 and first[i1] == second[i1 - d]:
                i1 += 1
            forward[d] = i1
            if is_odd and bmin <= d <= bmax and backward[d] <= i1:
                return i1, i1 - d
        bmin, bmax = _widen(backward, bmin, bmax, dmin, dmax, _FAR)
        for d in range(bmax, bmin - 1, -2):
            i1 = backward[d - 1] if backward[d - 1] < backward[d + 1] else backward[d + 1] - 1
            while i1 > off1 and i1 - d > off2 and first[i1 - 1] == second[i1 - d - 1]:
                i1 -= 1
            backward[d] = i1
            if not is_odd and fmin <= d <= fmax and i1 <= forward[d]:
                return i1, i1 - d


def _widen(reach: dict[int, int], low: int, high: int, lowest: int, highest: int, end: int) -> tuple[int, int]:
    """Take one more diagonal on each side, within the box."""
    if low > lowest:
        low -= 1
        reach[low - 1] = end
    else:
        low += 1
    if high < highest:
        high += 1
        reach[high + 1] = end
    else:
        high -= 1
    return low, high


class _Group:
    """A run of changed lines of one side, maybe empty; between two groups stands one unchanged line."""

    def __init__(self, side: _Side) -> None:
        self.side = side
        self.start = self.end = 0
        self._extend_down()

    @property
    def is_empty(self) -> bool:
        return self.start == self.end

    def _extend_down(self) -> None:
        while self.side.changed[self.end]:
            self.end += 1

    def _extend_up(self) -> None:
        while self.start > 0 and self.side.changed[self.start - 1]:
            self.start -= 1

    def next(self) -> bool:
        if self.end == len(self.side.lines):
            return False
        self.start = self.end = self.end + 1
        self._extend_down()
        return True

    def previous(self) -> None:
        self.start = self.end = self.start - 1
        self._extend_up()

    def slide_up(self) -> bool:
        lines, changed = self.side.lines, self.side.changed
        if self.start == 0 or lines[self.start - 1] != lines[self.end - 1]:
            return False
        self.start, self.end = self.start - 1, self.end - 1
        changed[self.start], changed[self.end] = True, False
        self._extend_up()
        return True

    def slide_down(self) -> bool:
        lines, changed = self.side.lines, self.side.changed
        if self.end == len(lines) or lines[self.start] != lines[self.end]:
            return False
        changed[self.start], changed[self.end] = False, True
        self.start, self.end = self.start + 1, self.end + 1
        self._extend_down()
        return True


def _compact(side: _Side, other: _Side) -> None:
    """Slide each group of one side to where it lines up with the other's, or reads best."""
    group, opposite = _Group(side), _Group(other)
    while True:
        if not group.is_empty:
            _place(group, opposite)
        if not group.next():
            return
        opposite.next()


def _place(group: _Group, opposite: _Group) -> None:
    size, earliest, matching = _slide_through(group, opposite)
    if group.end == earliest:
        return
    if matching is not None:
        while opposite.is_empty:
            group.slide_up()
            opposite.previous()
        return
    best = _best_end(group, size, earliest)
    while group.end > best:
        group.slide_up()
        opposite.previous()


def _slide_through(group: _Group, opposite: _Group) -> tuple[int, int, int | None]:
    """Slide up, then down, joining groups on the way; return the size, the first end and one that lines up."""
    while True:
        size, matching = group.end - group.start, None
        while group.slide_up():
            opposite.previous()
        earliest = group.end
        if not opposite.is_empty:
            matching = group.end
        while group.slide_down():
            opposite.next()
            if not opposite.is_empty:
                matching = group.end
        if size == group.end - group.start:
            return size, earliest, matching


def _best_end(group: _Group, size: int, earliest: int) -> int:
    """Return the end that gives the best split before and after the group; the later of two equal ones."""
    best, best_score = -1, _Score()
    for end in range(max(earliest, group.end - size - 1, group.end - MAX_SLIDING), group.end + 1):
        score = _Score()
        score.add(group.side.lines, end)
        score.add(group.side.lines, end - size)
        if best == -1 or score.worse_than(best_score) <= 0:
            best, best_score = end, score
    return best


@dataclass
class _Score:
    """How bad it is to split a text at some places."""

    indent: int = 0
    penalty: int = 0

    def worse_than(self, other: "_Score") -> int:
        order = (self.indent > other.indent) - (self.indent < other.indent)
        return 60 * order + self.penalty - other.penalty

    def add(self, lines: Sequence[str], split: int) -> None:
        own = _indent(lines[split]) if split < len(lines) else -1
        before, blanks_before = _neighbour(lines, range(split - 1, -1, -1))
        after, blanks_after = _neighbour(lines, range(split + 1, len(lines)))
        blanks = 1 + blanks_after if own == -1 else 0
        total = blanks_before + blanks
        indent = own if own != -1 else after
        self.penalty += (before == -1 and blanks_before == 0) + 21 * (split >= len(lines)) - 30 * total + 6 * blanks
        self.indent += indent
        if indent == -1 or before == -1 or indent == before:
            return
        if indent > before:
            self.penalty += 10 if total else -4
        elif after != -1 and after > indent:
            self.penalty += 17 if total else 24
        else:
            self.penalty += 17 if total else 23


def _neighbour(lines: Sequence[str], places: range) -> tuple[int, int]:
    """Return the indent of the next line that is not blank, -1 for none, and how many blank ones stand before it."""
    blanks = 0
    for place in places:
        indent = _indent(lines[place])
        if indent != -1:
            return indent, blanks
        blanks += 1
        if blanks == MAX_BLANKS:
            return 0, blanks
    return -1, blanks


def _indent(line: str) -> int:
    """Return the width of the white space that a line starts with; -1 for a blank line."""
    width = 0
    for character in line:
        if character not in " \t\n\v\f\r":
            return width
        width += 1 if character == " " else 8 - width % 8 if character == "\t" else 0
        if width >= MAX_INDENT:
            return MAX_INDENT
    return -1
