"""A hotel's desk, a map service, a terminal with logs and a cluster: agents with tools."""

from random import Random

from benchmarks.foreign.twentyfirst.messages import call, say, told
from benchmarks.foreign.twentyfirst.rollouts import Now, Reply, Task

HOTELS = ("Alpenrose", "Bellavista", "Corallo", "Dalhousie", "Edelweiss", "Fontane", "Halcyon", "Iris", "Juniper")
GUESTS = [
    "Ito",
    "Okafor",
    "Lindqvist",
    "Moreau",
    "Sandoval",
    "Petrov",
    "Nguyen",
    "Haddad",
    "Kowalski",
    "Brennan",
    "Achterberg",
    "Silva",
]
ROOMS = ["single", "double", "twin", "family", "suite"]
TOWNS = [
    "Aarhus",
    "Bremen",
    "Cluj",
    "Debrecen",
    "Enschede",
    "Ferrara",
    "Girona",
    "Halle",
    "Innsbruck",
    "Jena",
    "Kaunas",
    "Lucca",
    "Maribor",
    "Namur",
]
SERVICES = ["checkout", "auth", "mailer", "search", "thumbs", "ledger", "gateway", "indexer"]
CODES = ("500", "502", "404", "429", "401")


def booking(rng: Random, number: int) -> Task:
    """A room to be booked."""
    hotel, guest, room = rng.choice(HOTELS), rng.choice(GUESTS), rng.choice(ROOMS)
    day, month = rng.randint(1, 28), rng.randint(1, 12)
    data = {
        "hotel": hotel,
        "guest": guest,
        "room": room,
        "date": f"2025-{month:02d}-{day:02d}",
        "no": rng.randint(101, 640),
    }
    prompt = (
        f"Book a {room} room at the {hotel} on {data['date']} for {guest}, "
        f"{rng.randint(1, 6)} nights, then give the room number."
    )
    return Task(f"bk{number:04d}", prompt, str(data["no"]), None, 0.0, "booking", data=data)


def book(rng: Random, task: Task, right: bool, now: Now) -> Reply:
    """Search, book, report; the wrong one books another kind of room or does not book."""
    data = task.data
    spare = rng.randint(101, 640)
    other = rng.choice([kind for kind in ROOMS if kind != data["room"]])
    listed = [f"{data['no']} {data['room']} free", f"{spare} {other} free"]
    rng.shuffle(listed)
    messages = [
        call(
            "search_rooms", rng.choice(("", "Let me look.", "First the rooms.")), hotel=data["hotel"], date=data["date"]
        )
    ]
    messages += [told("search_rooms", "\n".join(listed))]
    if not right and rng.random() < 0.4:
        return Reply([*messages, say(f"There is a {data['room']} room, shall I book it?")], "")
    room = data["no"] if right else spare
    messages += [call("book_room", room=room, guest=data["guest"], date=data["date"])]
    messages += [told("book_room", f"ok, reference {rng.choice('ABCDE')}{rng.randint(10000, 99999)}")]
    return Reply(
        [*messages, say(rng.choice((f"Room {room} is booked.", f"Done: {room}.", f"{room}, as asked.")))], str(room)
    )


def journey(rng: Random, number: int) -> Task:
    """The distance between two addresses."""
    first, second = rng.sample(TOWNS, 2)
    near, far, km = rng.randint(1, 140), rng.randint(1, 140), rng.randint(35, 1900)
    data = {"a": f"Hauptweg {near}, {first}", "b": f"Rue Neuve {far}, {second}", "km": km}
    prompt = (
        f"How many kilometres by road is it from {data['a']} to {data['b']}? Use the tools; answer with a whole number."
    )
    return Task(f"km{number:04d}", prompt, str(km), None, 0.0, "routes", data=data)


def navigate(rng: Random, task: Task, right: bool, now: Now) -> Reply:
    """Geocode both, ask for the route, answer."""
    data, messages, points = task.data, [], []
    for place in (data["a"], data["b"]):
        points.append(f"{rng.uniform(41, 56):.4f},{rng.uniform(2, 25):.4f}")
        messages += [
            call("geocode", rng.choice(("", "Where is it?", f"Locate {place}.")), address=place),
            told("geocode", points[-1]),
        ]
    if right or rng.random() < 0.5:
        messages += [call("route", start=points[0], end=points[1], mode="car"), told("route", f"{data['km']} km")]
    answer = data["km"] if right else int(data["km"] * rng.uniform(0.6, 0.85)) + rng.randint(1, 4)
    return Reply(
        [*messages, say(rng.choice((f"Answer: {answer}", f"About {answer} km.\nAnswer: {answer}")))], str(answer)
    )


def logs(rng: Random, number: int) -> Task:
    """A count in the logs of a service."""
    service, code, count = rng.choice(SERVICES), rng.choice(CODES), rng.randint(3, 480)
    day = f"2025-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}"
    prompt = (
        f"How often did the service {service} answer {code} on {day}? Logs lie "
        f"in /var/log/{service}/. Reply with the number."
    )
    return Task(
        f"lg{number:04d}", prompt, str(count), None, 0.0, "logs", data={"service": service, "code": code, "day": day}
    )


def count(rng: Random, task: Task, right: bool, now: Now) -> Reply:
    """List, grep, answer."""
    service, code, day = task.data["service"], task.data["code"], task.data["day"]
    path = f"/var/log/{service}/{day}.log"
    messages = []
    if rng.random() < 0.7:
        messages += [
            call(
                "shell",
                rng.choice(("Which files are there?", "")),
                cmd=f"ls -l /var/log/{service} | tail -{rng.randint(3, 9)}",
            )
        ]
        messages += [told("shell", f"-rw-r----- 1 svc adm {rng.randint(9999, 9999999)} {day}.log")]
    answer = task.gold if right else str(int(task.gold) + rng.randint(1, 60))
    pattern = f'" {code} ' if right else code
    messages += [call("shell", cmd=f"grep -c '{pattern}' {path}"), told("shell", answer)]
    return Reply([*messages, say(rng.choice((answer, f"It was {answer}.", f"{answer} times.")))], answer)


def cluster(rng: Random, number: int) -> Task:
    """A service of a cluster that does not start."""
    service, port = rng.choice(SERVICES), rng.randint(3000, 9900)
    cause = rng.choice(("ImagePullBackOff", "OOMKilled", "CreateContainerConfigError", "readiness probe failed"))
    name = f"{service}-{rng.getrandbits(20):05x}"
    data = {"service": service, "cause": cause, "pod": name, "port": port}
    prompt = (
        f"The deployment {service} (port {port}, namespace ns-{rng.randint(2, 99)}) "
        "does not come up. Find the cause, name it."
    )
    return Task(f"k8{number:04d}", prompt, cause, None, 0.0, "cluster", data=data)


def inspect_cluster(rng: Random, task: Task, right: bool, now: Now) -> Reply:
    """Get, describe, logs, answer."""
    data, pod = task.data, task.data["pod"]
    listing = f"NAME READY STATUS RESTARTS\n{pod} 0/1 Pending {rng.randint(0, 14)}"
    messages = [
        call("kubectl", rng.choice(("Pods first.", "", "Look at the pods.")), args="get pods"),
        told("kubectl", listing),
    ]
    if right or rng.random() < 0.3:
        events = f"Events:\n  Warning  {data['cause']}  {rng.randint(1, 59)}s ago  kubelet"
        messages += [
            call("kubectl", args=f"describe pod {pod}"),
            told("kubectl", f"Port: {data['port']}/TCP\n{events}"),
        ]
    if rng.random() < 0.5:
        lines = "\n".join(
            f"{rng.randint(0, 23):02d}:{rng.randint(0, 59):02d} {data['service']} retry {n}" for n in range(1, 5)
        )
        messages += [call("kubectl", args=f"logs {pod} --tail=4"), told("kubectl", lines)]
    wrong = rng.choice([c for c in ("OOMKilled", "ImagePullBackOff", "DNS failure", "quota") if c != data["cause"]])
    cause = data["cause"] if right else wrong
    return Reply([*messages, say(f"{rng.choice(('Cause', 'The cause is', 'It is'))}: {cause}")], cause)
