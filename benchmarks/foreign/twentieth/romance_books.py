"""Word problems in French, and in Portuguese with their solutions in English too."""

from benchmarks.foreign.twentieth.stories import Story

FRENCH = (
    Story(
        "{name} remplit {a} caisses de {b} bouteilles. On en casse {c}, puis on vend chaque bouteille {d} euros. "
        "Quelle est la recette ?",
        {"a": (6, 20), "b": (6, 24), "c": (2, 18), "d": (5, 17)},
        (
            ("D'abord, {a} × {b} = {v} bouteilles.", lambda n: n["a"] * n["b"]),
            ("Il en reste {r0} − {c} = {v}", lambda n: n["r0"] - n["c"]),
            ("La recette est {r1} × {d} = {v}", lambda n: n["r1"] * n["d"]),
        ),
        "commerce",
    ),
    Story(
        "Un train de {a} wagons transporte {b} voyageurs par wagon. À la première gare {c} personnes descendent et "
        "{d} montent. {name} demande combien de voyageurs repartent.",
        {"a": (5, 16), "b": (28, 74), "c": (20, 110), "d": (10, 90)},
        (
            ("Au départ : {a} × {b} = {v}", lambda n: n["a"] * n["b"]),
            ("Après la descente : {r0} − {c} = {v}", lambda n: n["r0"] - n["c"]),
            ("Après la montée : {r1} + {d} = {v}", lambda n: n["r1"] + n["d"]),
        ),
        "transport",
    ),
)
PORTUGUESE = (
    Story(
        "{name} colhe {a} sacos de café por dia durante {b} dias. Cada saco pesa {c} quilos e um décimo do peso se "
        "perde na secagem. Quantos quilos de café seco há no fim?",
        {"a": (6, 25), "b": (4, 12), "c": (30, 60)},
        (
            ("Primeiro conto os sacos colhidos em todos os dias: {a} × {b} = {v}", lambda n: n["a"] * n["b"]),
            ("O peso do café ainda úmido é {r0} × {c} = {v}", lambda n: n["r0"] * n["c"]),
            ("A secagem tira um décimo, que são {r1} ÷ 10 = {v}", lambda n: n["r1"] / 10),
            ("Então restam {r1} − {r2} = {v}", lambda n: n["r1"] - n["r2"]),
        ),
        "colheita",
        (
            "First I count the sacks picked over all the days: {a} × {b} = {v}",
            "The weight of the coffee while it is still wet is {r0} × {c} = {v}",
            "The drying takes away one tenth of that, which is {r1} ÷ 10 = {v}",
            "So what remains in the end is {r1} − {r2} = {v}",
        ),
    ),
    Story(
        "Uma escola tem {a} turmas de {b} alunos. Numa excursão faltam {c} alunos, e cada ônibus leva 40. {name} "
        "pergunta quantos lugares ficam vazios se forem contratados {d} ônibus.",
        {"a": (5, 9), "b": (22, 34), "c": (4, 30), "d": (9, 12)},
        (
            ("O total de alunos da escola é {a} × {b} = {v}", lambda n: n["a"] * n["b"]),
            ("Vão à excursão {r0} − {c} = {v}", lambda n: n["r0"] - n["c"]),
            ("Os ônibus oferecem ao todo {d} × 40 = {v}", lambda n: n["d"] * 40),
            ("Os lugares vazios são a diferença: {r2} − {r1} = {v}", lambda n: n["r2"] - n["r1"]),
        ),
        "escola",
        (
            "The number of pupils in the whole school is {a} × {b} = {v}",
            "The ones who go on the trip are {r0} − {c} = {v}",
            "The buses together offer this many seats: {d} × 40 = {v}",
            "The empty seats are the difference between them: {r2} − {r1} = {v}",
        ),
    ),
)
