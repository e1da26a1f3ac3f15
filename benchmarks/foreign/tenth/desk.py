"""A support desk whose customers write Spanish, with replies in Spanish or in English."""

from random import Random

from benchmarks.foreign.tenth.core import Reply, Task, text_reply
from benchmarks.foreign.tenth.names import PEOPLE, TOWNS

CASES = {
    "paquete": ("mi paquete {n} no ha llegado a {town}", "su paquete {n}", "your parcel {n}"),
    "factura": ("me cobraron dos veces la factura {n} en {town}", "la factura {n}", "the invoice {n}"),
    "clave": ("no puedo entrar en la cuenta {n} desde {town}", "la cuenta {n}", "the account {n}"),
    "billete": ("quiero cambiar el billete {n} que sale de {town}", "el billete {n}", "the ticket {n}"),
    "router": ("el router {n} se apaga cada hora en mi casa de {town}", "el router {n}", "the router {n}"),
    "reserva": ("necesito anular la reserva {n} en {town}", "la reserva {n}", "the reservation {n}"),
}
GREETINGS = ("Hola, soy {who} y {what}. ¿Qué hago?", "Buenas, {what}. Gracias, {who}.", "{who} aquí: {what}. ¡Ayuda!")
SPANISH_PARTS = (
    ("Hola {who}, gracias por escribirnos.", "Buenos días, {who}.", "{who}, lamento las molestias."),
    ("He revisado {it} en el sistema.", "Acabo de mirar {it}.", "Veo aquí {it} con su historial."),
    ("El problema se resolverá en {d} días.", "En {d} días tendrá una respuesta.", "Hace falta esperar {d} días."),
    ("Puede seguir el estado en su área de cliente.", "Le envío los pasos por correo.", "Si falla, llame al centro."),
    ("También puede pasar por la oficina.", "Guarde el número de caso.", "No hace falta que haga nada más."),
    ("Un saludo.", "Quedo a su disposición.", "Gracias por su paciencia."),
)
ENGLISH_PARTS = (
    ("Hello {who}, thank you for writing.", "Good morning, {who}.", "{who}, I am sorry for the trouble."),
    ("I have checked {it} in our system.", "I just looked at {it}.", "I can see {it} and its history here."),
    ("The problem will be solved in {d} days.", "You will hear from us in {d} days.", "Please allow {d} days."),
    ("You can follow the status in your account.", "I am sending the steps by mail.", "If it fails, call the centre."),
    ("You can also visit the office.", "Please keep the case number.", "There is nothing else you need to do."),
    ("Kind regards.", "I remain at your disposal.", "Thank you for your patience."),
)


def letter(rng: Random, task: Task, right: bool, in_english: bool) -> str:
    """A reply with more parts where it is good."""
    parts = ENGLISH_PARTS if in_english else SPANISH_PARTS
    kept = range(len(parts)) if right else sorted(rng.sample(range(len(parts)), rng.randint(2, 4)))
    it = task.world["english" if in_english else "spanish"]
    return " ".join(rng.choice(parts[i]).format(who=task.world["who"], it=it, d=rng.randint(2, 9)) for i in kept)


def desk_task(rng: Random, name: str) -> Task:
    """A customer's message."""
    family = rng.choice(list(CASES))
    number, who, town = f"{rng.choice('ABKMT')}{rng.randint(1000, 9999)}", rng.choice(PEOPLE), rng.choice(TOWNS)
    what, spanish, english = (t.format(n=number, town=town) for t in CASES[family])
    world = {"who": who, "spanish": spanish, "english": english}
    task = Task(name, rng.choice(GREETINGS).format(who=who, what=what), "", lambda r, right: reply(r, right), family)

    def reply(rng: Random, right: bool) -> Reply:
        return text_reply(letter(rng, task, right, False), "")

    task.world, task.system = world, "Eres un agente de soporte. Responde en el idioma del cliente."
    return task
