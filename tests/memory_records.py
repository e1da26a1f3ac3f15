"""Skills, their trials and cases, as memory keeps them."""

from evotrainer.records import Case, Skill, SkillChange, SkillTrial


def trial(domain: str, succeeded: bool = True, version: str = "v002", **more) -> SkillTrial:
    return SkillTrial(
        campaign=f"c-{domain}", version=version, domain=domain, succeeded=succeeded, difference=0.03, **more
    )


def skill(*trials: SkillTrial, modes=("dead_groups",), name="learning-rate-learning-rate-up") -> Skill:
    return Skill(
        name=name,
        factor="learning_rate",
        modes=list(modes),
        changes=[SkillChange(key="algorithm.learning_rate", ratio=2.0)],
        expected_low=0.01,
        expected_high=0.07,
        hypothesis="steps are too small",
        validation="6 seeds against 8",
        trials=list(trials),
    )


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
