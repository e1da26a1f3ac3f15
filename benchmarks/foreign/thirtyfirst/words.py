"""A game of sorting sixteen words into four groups."""

from random import Random

from benchmarks.foreign.thirtyfirst.setting import Task

GROUPS = {
    "knots": ["bowline", "reef", "clove", "sheet", "granny", "slip"],
    "cheeses": ["brie", "gouda", "feta", "edam", "cheddar", "halloumi"],
    "dances": ["waltz", "tango", "polka", "samba", "jive", "rumba"],
    "winds": ["mistral", "sirocco", "bora", "zephyr", "foehn", "monsoon"],
    "fabrics": ["linen", "tweed", "denim", "velvet", "felt", "satin"],
    "card games": ["whist", "bridge", "skat", "rummy", "hearts", "canasta"],
    "parts of a ship": ["keel", "mast", "helm", "galley", "hull", "rudder"],
    "trees": ["alder", "larch", "rowan", "yew", "beech", "hazel"],
    "tools": ["chisel", "plane", "rasp", "awl", "mallet", "vise"],
    "pasta": ["penne", "orzo", "fusilli", "rigatoni", "linguine", "ziti"],
    "clouds": ["cirrus", "stratus", "nimbus", "anvil", "cumulus", "fog"],
    "moons": ["Titan", "Io", "Europa", "Triton", "Callisto", "Phobos"],
    "gaits": ["trot", "canter", "amble", "gallop", "walk", "pace"],
    "fences": ["hedge", "paling", "hurdle", "railing", "stile", "dyke"],
}


def grids(rng: Random, number: int) -> list[Task]:
    """Grids of sixteen words."""
    out = []
    for i in range(number):
        groups = [(name, rng.sample(GROUPS[name], 4)) for name in rng.sample(list(GROUPS), 4)]
        words = [w for _, members in groups for w in members]
        rng.shuffle(words)
        lines = "\n".join(" | ".join(words[j : j + 4]) for j in (0, 4, 8, 12))
        prompt = f"Sort these sixteen words into four groups of four. Write one group a line.\n{lines}"
        gold = " / ".join(f"{n}: {', '.join(m)}" for n, m in groups)
        out.append(Task(f"grid-{i:03d}", prompt, gold, rng.gauss(0, 0.8), "", {"groups": groups, "words": words}))
    return out
