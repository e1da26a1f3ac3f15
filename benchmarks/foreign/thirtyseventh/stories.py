"""Texts of word problems: question, moves (sign, operand, sentences), and ranges of the numbers, by language."""

NAMES = {
    "en": ("Maren", "Tobias", "Ines", "Jonah", "Priya", "Lucia", "Oskar", "Hanneke", "Wanjiru", "Dmitri"),
    "es": ("Marta", "Julián", "Rocío", "Andrés", "Pilar"),
    "it": ("Chiara", "Matteo", "Giulia", "Paolo", "Serena"),
    "fi": ("Aino", "Eero", "Helmi", "Onni", "Tuuli"),
    "hi": ("Rohit", "Sneha", "Anjali", "Kabir", "Meena"),
}

OPENINGS = {
    "en": (
        "",
        "Let me go through it in order.",
        "I start with what is given.",
        "{who} is the one to follow here.",
        "First the larger amount.",
        "We need the quantities one after the other.",
    ),
    "es": ("", "Vamos paso a paso.", "Empiezo por los datos.", "Primero el total."),
    "it": ("", "Procediamo con ordine.", "Parto dai dati.", "Prima il totale."),
    "fi": ("", "Lasketaan vaihe kerrallaan.", "Aloitan annetuista luvuista."),
    "hi": ("", "Chalo step by step dekhte hain.", "Pehle total nikalte hain.", "Jo diya hai usse shuru karte hain."),
}

CLOSINGS = {
    "en": ("The answer is {c}.", "So the answer is {c}.", "That leaves {c} as the answer.", "Answer: {c}"),
    "es": ("La respuesta es {c}.", "Por lo tanto, {c}.", "Respuesta: {c}"),
    "it": ("La risposta è {c}.", "Quindi {c}.", "Risposta: {c}"),
    "fi": ("Vastaus on {c}.", "Siis {c}.", "Vastaus: {c}"),
    "hi": ("Toh answer hai {c}.", "Isliye jawab {c} hoga.", "Answer: {c}"),
}

_EN = {
    "market": (
        "{who} buys {x} crates of plums at {y} euros each and uses a voucher of {z} euros. How many euros are paid?",
        (
            ("*", "y", ("The {a} crates at {b} euros come to {c} euros.", "{a} crates times {b} euros is {c} euros.")),
            (
                "-",
                "z",
                ("The voucher takes off {b}, so {a} - {b} = {c}.", "Without the {b} of the voucher, {c} remain."),
            ),
        ),
        {"x": (3, 19), "y": (6, 24), "z": (2, 17)},
    ),
    "ferry": (
        "A ferry sets out with {x} passengers. On the first island {y} get on, on the second {z} get off, and on the "
        "third {u} get on. How many arrive?",
        (
            ("+", "y", ("After the first island {a} + {b} = {c} are aboard.", "With {b} more there are {c}.")),
            ("-", "z", ("{b} leave on the second, which makes {c}.", "Then {a} - {b} = {c} stay aboard.")),
            ("+", "u", ("The third island adds {b}: {c}.", "{b} more come aboard, {a} + {b} = {c}.")),
        ),
        {"x": (60, 180), "y": (11, 48), "z": (9, 55), "u": (5, 33)},
    ),
    "orchard": (
        "{who} plants {x} rows of {y} saplings. Frost kills {z} of them, and {u} are given away. How many are left?",
        (
            ("*", "y", ("{a} rows of {b} are {c} saplings.", "There were {a} times {b}, that is {c}, at first.")),
            ("-", "z", ("Frost leaves {a} - {b} = {c}.", "Of these {b} die, so {c} live.")),
            ("-", "u", ("Giving {b} away leaves {c}.", "{a} minus the {b} given away is {c}.")),
        ),
        {"x": (7, 23), "y": (8, 21), "z": (4, 26), "u": (3, 19)},
    ),
    "archive": (
        "An archive scans {x} pages an hour for {y} hours, and finds {z} pages unreadable. {who} adds {u} pages typed "
        "by hand. How many pages can be read in the end?",
        (
            ("*", "y", ("In {b} hours {c} pages are scanned.", "{a} pages times {b} hours gives {c}.")),
            ("-", "z", ("Only {a} - {b} = {c} of them are readable.", "The {b} bad ones go, {c} remain.")),
            ("+", "u", ("With those typed by hand there are {c}.", "{a} and {b} typed pages are {c}.")),
        ),
        {"x": (35, 95), "y": (3, 9), "z": (6, 40), "u": (4, 31)},
    ),
    "circuit": (
        "A resistor of {x} ohm carries {y} ampere. The supply is {z} volt higher than the drop across it. What is the "
        "voltage of the supply in volt?",
        (
            ("*", "y", ("By Ohm's law the drop is {a} times {b} = {c} volt.", "U = R I = {a} * {b} = {c} volt.")),
            ("+", "z", ("The supply lies {b} above: {c} volt.", "Adding {b} volt, {a} + {b} = {c}.")),
        ),
        {"x": (4, 47), "y": (2, 9), "z": (3, 25)},
    ),
    "glacier": (
        "A glacier flows {x} metres a year. A stake rides on it for {y} years, and the survey mark where it began "
        "was moved {z} metres after it. How far, in metres, is the stake from the mark now?",
        (
            (
                "*",
                "y",
                ("Over {b} years the ice carries the stake {c} metres.", "{a} m/a for {b} years is {c} metres."),
            ),
            ("-", "z", ("The mark followed by {b}, so the gap is {c}.", "Less the {b} of the mark: {a} - {b} = {c}.")),
        ),
        {"x": (18, 90), "y": (3, 12), "z": (5, 40)},
    ),
}

_ES = {
    "mercado": (
        "{who} compra {x} cajas de tomates a {y} euros cada una y usa un vale de {z} euros. ¿Cuántos euros paga?",
        (
            ("*", "y", ("Las {a} cajas a {b} euros cuestan {c}.", "{a} por {b} son {c} euros.")),
            ("-", "z", ("El vale resta {b} y quedan {c}.", "Menos {b} del vale, {a} - {b} = {c}.")),
        ),
        {"x": (3, 19), "y": (6, 24), "z": (2, 17)},
    ),
    "tren": (
        "Un tren sale con {x} viajeros. En la primera estación suben {y} y en la segunda bajan {z}. ¿Cuántos llegan?",
        (
            ("+", "y", ("Suben {b}, así que van {c}.", "Tras la primera, {a} + {b} = {c}.")),
            ("-", "z", ("Bajan {b} y quedan {c}.", "Después {a} - {b} = {c}.")),
        ),
        {"x": (60, 180), "y": (11, 48), "z": (9, 55)},
    ),
}

_IT = {
    "mercato": (
        "{who} compra {x} cassette di pesche a {y} euro l'una e usa un buono di {z} euro. Quanti euro paga?",
        (
            ("*", "y", ("Le {a} cassette a {b} euro fanno {c} euro.", "{a} per {b} fa {c}.")),
            ("-", "z", ("Il buono toglie {b}, restano {c}.", "Meno {b} del buono: {a} - {b} = {c}.")),
        ),
        {"x": (3, 19), "y": (6, 24), "z": (2, 17)},
    ),
    "treno": (
        "Un treno parte con {x} passeggeri. Alla prima fermata ne salgono {y}, alla seconda ne scendono {z}. "
        "Quanti arrivano?",
        (
            ("+", "y", ("Salgono in {b}, quindi sono {c}.", "Dopo la prima fermata {a} + {b} = {c}.")),
            ("-", "z", ("Ne scendono {b} e restano {c}.", "Poi {a} - {b} = {c}.")),
        ),
        {"x": (60, 180), "y": (11, 48), "z": (9, 55)},
    ),
}

_FI = {
    "tori": (
        "{who} ostaa {x} laatikkoa mansikoita, {y} euroa kappale, ja käyttää {z} euron lahjakortin. "
        "Montako euroa hän maksaa?",
        (
            ("*", "y", ("Laatikot maksavat {a} kertaa {b} eli {c} euroa.", "{a} laatikkoa maksaa yhteensä {c} euroa.")),
            ("-", "z", ("Lahjakortti vähentää {b} euroa, jää {c}.", "Siitä vähennetään {b}: {a} - {b} = {c}.")),
        ),
        {"x": (3, 19), "y": (6, 24), "z": (2, 17)},
    ),
    "juna": (
        "Junassa on {x} matkustajaa. Ensimmäisellä asemalla nousee {y} ja toisella poistuu {z}. Montako jää?",
        (
            ("+", "y", ("Ensimmäisen aseman jälkeen heitä on {c}.", "{a} + {b} = {c} matkustajaa.")),
            ("-", "z", ("Kun {b} poistuu, jää {c}.", "Sitten {a} - {b} = {c}.")),
        ),
        {"x": (60, 180), "y": (11, 48), "z": (9, 55)},
    ),
}

_HI = {
    "bazaar": (
        "{who} ne {x} peti aam kharide, har peti {y} sau rupaye ki, aur {z} sau ka coupon lagaya. "
        "Kitne sau rupaye dene pade?",
        (
            ("*", "y", ("{a} peti ka daam {a} x {b} = {c} sau hua.", "Har peti {b} ki, toh kul {c} sau.")),
            ("-", "z", ("Coupon se {b} kam, bache {c}.", "Ab {a} mein se {b} hatao, {c} milta hai.")),
        ),
        {"x": (3, 19), "y": (6, 24), "z": (2, 17)},
    ),
    "bus": (
        "Bus mein {x} log the. Pehle stop pe {y} aur chadhe, dusre pe {z} utar gaye. Ab kitne log hain?",
        (
            ("+", "y", ("Pehle stop ke baad {a} + {b} = {c} log.", "{b} log aur aaye, toh {c} ho gaye.")),
            ("-", "z", ("Phir {b} utre, bache {c}.", "{a} - {b} karo toh {c} log bache.")),
        ),
        {"x": (30, 80), "y": (11, 28), "z": (9, 29)},
    ),
}

STORIES = {"en": _EN, "es": _ES, "it": _IT, "fi": _FI, "hi": _HI}
