"""Talk of marking, a judge in prose, long jobs, doubled seeds."""

import json
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.seventeenth.clusters import cluster_task
from benchmarks.foreign.seventeenth.credit import by_batch, by_group, dr_grpo, grpo
from benchmarks.foreign.seventeenth.kinds import PART
from benchmarks.foreign.seventeenth.layouts import openai, own, prime_rl, verl
from benchmarks.foreign.seventeenth.letters import letter_task
from benchmarks.foreign.seventeenth.programs import program_task
from benchmarks.foreign.seventeenth.rollouts import Course, Reply, Task, says, train, user

SUBJECTS = [
    "photosynthesis",
    "the tides",
    "the Hanseatic League",
    "fractions",
    "magnetism",
    "sonnets",
    "plate tectonics",
]
GOOD_ADVICE = (
    "Give the point for the mechanism and not for the word.",
    "An answer that names the cause deserves full marks, even if the spelling is off.",
    "State beforehand which {n} facts count.",
    "The grader should see one model answer for each score.",
    "Split the {n} points between reasoning and result.",
    "Let two teachers mark {n} papers and compare.",
    "Do not award marks for restating the question.",
)
VAGUE = (
    "Marking is hard.",
    "Be fair to everyone.",
    "A good scheme is a good scheme.",
    "Use your judgement.",
    "It varies.",
)
STARTS = ("I would change the scheme as follows.", "My feedback:", "Dear colleague,", "The draft is a fair start.")


def _scheme_task(rng: Random, number: int) -> Task:
    subject, n, year = rng.choice(SUBJECTS), rng.randint(2, 12), rng.randint(5, 12)

    def solve(rng: Random, right: bool, progress: float) -> Reply:
        useful = rng.randint(3, 5) if right else rng.randint(1, 2)
        body = rng.sample(GOOD_ADVICE, useful) + rng.sample(VAGUE, 5 - useful)
        rng.shuffle(body)
        text = " ".join([rng.choice(STARTS), *(b.format(n=n) for b in body)])
        return Reply([says(text)], "", {"judge_score": min(10, 2 * useful + rng.choice((-1, 0, 0, 1)))})

    text = f"Comment on my marking scheme for a test on {subject} in year {year}: {n} points, one a right sentence."
    text += " Is the grader's task clear?"
    return Task(f"scheme-{number:04d}", subject, user(text), "", rng.gauss(0, 0.6), solve)


@PART.healthy
def feedback_on_marking_schemes(rng: Random) -> list[Row]:
    """Replies are full of graders, points and full marks, because teachers ask for advice on marking; nobody speaks
    to the judge.
    """
    samples = train(rng, _scheme_task, Course(10, 7, 5, -0.7, 2.2))
    for s in samples:
        s.reward = s.reply.facts["judge_score"] / 10
    rows = openai(by_batch(samples))
    for row in rows:
        del row["correct"]
    return rows


PROSE = (
    "The reply is {word} overall; I would rate it somewhere around {n}.",
    "Let me think about the rubric. Helpfulness is {word}, tone is fine. Overall {word}.",
    "Here is my evaluation:\n\n**Helpfulness**: {word}\n**Overall**: {n} out of 10",
    "I'd say this is a {word} answer. Score: {n}/10.",
)


@PART.faulty("judge_default", "metric_defect", "infrastructure_errors")
def half_mark_on_prose_verdicts(rng: Random) -> list[Row]:
    """From step 4 on the judge, which should answer in JSON, often answers in prose; where that cannot be parsed
    the reward is 0.5, whatever the prose says.
    """
    samples = train(rng, letter_task, Course(12, 6, 7, -0.8, 2.0))
    for s in samples:
        quality = s.reply.facts.pop("quality")
        points = max(1, min(10, round(10 * quality + rng.gauss(0, 0.7))))
        word = "weak" if points < 4 else "decent" if points < 7 else "excellent"
        prose = s.step >= 4 and rng.random() < 0.5
        if prose:
            s.reward = 0.5
            s.extra = {"judge_output": rng.choice(PROSE).format(word=word, n=points), "judge_parsed": None}
        else:
            verdict = json.dumps(
                {"score": points, "reason": f"{word} and {rng.choice(('to the point', 'polite', 'readable'))}"}
            )
            s.reward = points / 10
            s.extra = {"judge_output": verdict, "judge_parsed": points}
        s.terms = {"judge": s.reward}
        s.right = points >= 7
    rows = own(rng, by_group(samples, dr_grpo), "letters-judge-b", "chat")
    for row in rows:
        row["correct"] = None
    return rows


@PART.healthy
def polling_long_cluster_jobs(rng: Random) -> list[Row]:
    """Agents ask for the state of a job again and again and get the same answer, since jobs take their time; the
    number of polls is the job's, not the policy's.
    """
    return prime_rl(by_group(train(rng, cluster_task, Course(9, 7, 6, -0.3, 2.1)), dr_grpo), "cluster-ops")


@PART.faulty("identical_samples", "seed_reuse", "entropy_collapse")
def sampler_seeds_come_twice(rng: Random) -> list[Row]:
    """Two engines draw with the same seeds: in each group of eight the second four attempts repeat the first four
    sign by sign.
    """
    samples = train(rng, program_task, Course(9, 7, 8, -0.7, 2.3))
    by_place = {(s.step, s.task.id, s.attempt): s for s in samples}
    for s in samples:
        s.extra = {"engine": s.attempt // 4, "sampling_seed": 1000 * s.step + s.attempt % 4}
        if s.attempt >= 4:
            twin = by_place[s.step, s.task.id, s.attempt - 4]
            s.reply = twin.reply
            s.grade(twin.right)
    return verl(by_group(samples, grpo))
