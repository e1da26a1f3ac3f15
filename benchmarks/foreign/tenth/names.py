"""Names of people, places and things."""

PEOPLE = (
    "Amara", "Bogdan", "Chiara", "Deniz", "Eilidh", "Farid", "Greta", "Hiroshi", "Ines", "Jarek", "Kavya", "Lionel",
    "Mireille", "Nadim", "Oksana", "Pedro", "Quentin", "Ruta", "Samir", "Tove", "Ulla", "Viktor", "Wanjiru", "Yusuf",
)  # fmt: skip
FAMILY_NAMES = (
    "Abelard", "Brandvold", "Castellane", "Drozdek", "Eskelund", "Farrokhi", "Grimaldo", "Hallström", "Ivanek",
    "Jorissen", "Kestrel", "Lindqvist", "Morvan", "Nakagome", "Orsini", "Pettifer", "Quaresma", "Rautio", "Solheim",
)  # fmt: skip
TOWNS = (
    "Aldervik", "Brennhaven", "Corvanne", "Dunmorra", "Estrela Nova", "Fallowmere", "Grauberg", "Halvasti", "Isbrook",
    "Jelenac", "Karsund", "Lorvale", "Montrevel", "Nordby", "Ostrava Mill", "Pellworth", "Quillan", "Rosenau",
    "Sarnico", "Tarvik", "Umberleigh", "Vellano", "Westerfold", "Zelhem",
)  # fmt: skip
GOODS = (
    "tiles", "lanterns", "notebooks", "seedlings", "bolts", "scarves", "jars", "panels", "candles", "postcards",
    "filters", "bricks", "badges", "ropes", "pumpkins", "magnets",
)  # fmt: skip
