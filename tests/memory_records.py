"""Cases, as memory keeps them."""

from evotrainer.records import Case


def case(domain: str, modes: list[str], outcome="promoted", difference=0.02, version="v002") -> Case:
    return Case(
        campaign=f"c-{domain}",
        version=version,
        domain=domain,
        findings=modes,
        metrics={"solve_rate": 0.4},
        factor="learning_rate",
        outcome=outcome,
        difference=difference,
    )
