"""Agents in a Ruby repository: fixing a bug, writing specs."""

from benchmarks.foreign.fresh.answers import NAMES
from benchmarks.foreign.fresh.sampling import Item, Rng, Turns, asked, ease, got, say, use

PARTS = ("invoice", "parser", "ledger", "roster", "mailer", "router", "basket", "ticket", "badge", "queue")
FAULTS = (
    "drops the last row",
    "rounds twice",
    "ignores the time zone",
    "accepts nil",
    "reverses the order",
    "leaks a handle",
)
SPEECH = (
    "The report about {part} points at {file}.",
    "I want to see how {part} is called first.",
    "{file} looks suspicious around line {n}.",
    "Nothing odd there; on to the callers of {part}.",
    "This explains why it {fault}.",
    "A guard in {file} should do.",
    "Line {n} is never reached, I believe.",
    "Let me compare with {other}.",
    "Next: {other}, then the {part} specs.",
    "I changed my mind, {m} is the wrong bound.",
)
SHORT = ("", "", "sigo", "vale", "ok", "listo", "a ver", "otra vez")


def speech(rng: Rng, facts: dict, is_terse: bool) -> str:
    """Return what is said beside a call."""
    if is_terse:
        return str(rng.choice(SHORT))
    return str(rng.choice(SPEECH)).format(n=rng.integers(2, 400), m=rng.integers(2, 90), **facts)


class RubyRepository:
    """A bug in Ruby, with one tool for files that is told what to do, and one that runs things."""

    name = "ruby"

    def __init__(
        self, files: str = "workspace", runs: str = "console", is_terse: bool = False, rounds: int = 3
    ) -> None:
        self.files, self.runs, self.is_terse, self.rounds = files, runs, is_terse, rounds

    def item(self, rng: Rng, number: int) -> Item:
        """An issue."""
        part, other = (str(x) for x in rng.choice(PARTS, 2, replace=False))
        fault = str(rng.choice(FAULTS))
        facts = {
            "part": part,
            "other": other,
            "fault": fault,
            "file": f"lib/{part}/{other}_{number}.rb",
            "spec": f"spec/{part}/{other}_{number}_spec.rb",
        }
        text = f"#{number} from {rng.choice(NAMES)}: the {part} {fault} when {other} is empty. Please fix it in lib/."
        return Item(f"rb-{number}", asked(text, "Repository at /data/checkout. Use the tools."), "", facts, ease(rng))

    def attempt(self, rng: Rng, item: Item, is_right: bool, progress: float) -> Turns:
        """Look around, change, run the specs, stop talking when done."""
        f, out = item.facts, []
        for _ in range(int(rng.integers(1, self.rounds + 1))):
            where = str(rng.choice([f["part"], f["other"], f["fault"].split()[-1]]))
            listing = "\n".join(
                f"lib/{f['part']}/{rng.choice(PARTS)}.rb:{rng.integers(1, 300)}: {where}" for _ in range(3)
            )
            out += self.turn(
                rng, f, use(self.runs, line=f"grep -rn {where} lib | head -n {rng.integers(5, 40)}"), listing
            )
        for _ in range(int(rng.integers(1, 3))):
            code = "\n".join(
                f"  def {rng.choice(PARTS)}_{rng.integers(90)}(x)\n    x + {rng.integers(90)}\n  end" for _ in range(12)
            )
            out += self.turn(
                rng, f, use(self.files, op="get", target=f["file"]), f"class {f['part'].title()}\n{code}\nend"
            )
        for _ in range(int(rng.integers(1, 3))):
            guard = (
                f"return [] if {f['other']}.nil?"
                if is_right
                else f"return nil if {f['other']}.size > {rng.integers(2, 9)}"
            )
            head, change = f"  def {f['other']}_{rng.integers(900)}(rows)", f"rows.map {{ |r| r + {rng.integers(90)} }}"
            payload = f"{head}\n    {guard}\n    {change}\n  end\n"
            out += self.turn(rng, f, use(self.files, op="put", target=f["file"], payload=payload), "stored")
            if rng.random() < 0.8:
                state = "0 failures" if is_right or rng.random() < 0.3 else f"{rng.integers(1, 4)} failures"
                out += self.turn(
                    rng,
                    f,
                    use(self.runs, line=f"bundle exec rspec {f['spec']}"),
                    f"{rng.integers(3, 40)} examples, {state}",
                )
        return [
            *out,
            say(f"The {f['part']} no longer {f['fault']}; see {f['file']}." if not self.is_terse else "hecho"),
        ]

    def turn(self, rng: Rng, facts: dict, call: dict, answer: str) -> Turns:
        """A call and its answer."""
        return [say(speech(rng, facts, self.is_terse), call), got(call["name"], answer)]


class SpecWriter(RubyRepository):
    """Specs are what is to be written: edits of specs are the task."""

    name = "specs"

    def item(self, rng: Rng, number: int) -> Item:
        """A class without specs."""
        item = super().item(rng, number)
        f = item.facts
        text = f"{f['spec']} hardly covers {f['file']}. Rewrite it so that mutants of the {f['part']} die."
        return Item(
            f"spec-{number}", asked(text, "Repository at /data/checkout. Use the tools."), "", item.facts, item.ease
        )

    def attempt(self, rng: Rng, item: Item, is_right: bool, progress: float) -> Turns:
        """Read the class, write specs, run them."""
        f, out = item.facts, []
        code = "\n".join(
            f"  def {rng.choice(PARTS)}_{rng.integers(90)}(x)\n    x + {rng.integers(90)}\n  end" for _ in range(12)
        )
        out += self.turn(rng, f, use(self.files, op="get", target=f["file"]), f"class {f['part'].title()}\n{code}\nend")
        out += self.turn(
            rng,
            f,
            use(self.files, op="get", target=f["spec"]),
            f"it 'works' do\n  expect({f['part']}.run).to eq {rng.integers(90)}\nend\n" * 6,
        )
        for _ in range(int(rng.integers(1, 4))):
            cases = "\n".join(
                f"it 'handles {rng.choice(FAULTS)}' do\n"
                f"  expect({rng.choice(PARTS)}({rng.integers(900)})).to eq {rng.integers(900)}\nend"
                for _ in range(int(rng.integers(2, 6)))
            )
            out += self.turn(
                rng,
                f,
                use(self.files, op="put", target=f["spec"], payload=f"describe '{f['part']}' do\n{cases}\nend\n"),
                "stored",
            )
            out += self.turn(
                rng,
                f,
                use(self.runs, line=f"bundle exec rspec {f['spec']}"),
                f"{rng.integers(2, 20)} examples, {0 if is_right else rng.integers(1, 4)} failures",
            )
        return [*out, say(f"{f['spec']} now covers the {f['part']}.")]
