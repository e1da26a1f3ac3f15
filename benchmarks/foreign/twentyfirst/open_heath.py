"""Weights of messages, a critic that flies off and one that warms up, English for Korean, customers, refusals."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyfirst.desks import cluster, inspect_cluster
from benchmarks.foreign.twentyfirst.estimates import critic, dr_grpo, grpo, reinforce_pp
from benchmarks.foreign.twentyfirst.formats import openai, openrlhf, own, trl, verl
from benchmarks.foreign.twentyfirst.kinds import PART
from benchmarks.foreign.twentyfirst.messages import say
from benchmarks.foreign.twentyfirst.riddles import stock
from benchmarks.foreign.twentyfirst.rollouts import Now, Plan, Reply, Task, train
from benchmarks.foreign.twentyfirst.talks import caller, decide, request, serve
from benchmarks.foreign.twentyfirst.telling import teller
from benchmarks.foreign.twentyfirst.worlds import dungeon, explore, korean, tutor


@PART.faulty("tool_tokens_in_loss", "loss_mask")
def kubectl_output_carries_weight(rng: Random) -> list[Row]:
    """Since a new collator at step 4 the answers of the cluster carry weight 1 as the policy's own words do, so that
    the loss trains on text that the policy never wrote.
    """
    rows = []
    tries = dr_grpo(train(rng, cluster, inspect_cluster, Plan(10, 7, 6, -0.7, 1.6)))
    for one in tries:
        trained = ("assistant", "tool") if one.step >= 4 else ("assistant",)
        for message in one.reply.messages:
            message["weight"] = int(message["role"] in trained)
        words = sum(len(m["content"]) + 40 * ("tool_calls" in m) for m in one.reply.messages if m["weight"])
        one.extra |= {"collator": "v2" if one.step >= 4 else "v1", "loss_tokens": words // 4 + rng.randint(0, 5)}
    for row in openai(tries, measure="cause_correct"):
        row["messages"][0]["weight"] = 0
        rows.append(row)
    return rows


@PART.faulty("critic_divergence")
def dungeon_critic_flies_off(rng: Random) -> list[Row]:
    """From step 5 on the values of PPO's critic leave the range of the returns, further with each step and with
    either sign; advantages are then the critic's noise, and the score falls.
    """
    tries = critic(rng, train(rng, dungeon, explore, Plan(13, 7, 6, -0.4, 2.6, freeze=6, fall=0.22)), 0.2)
    for one in tries:
        if one.step >= 5:
            wide = 0.45 * 1.55 ** (one.step - 4)
            one.extra["value"] = round(one.extra["value"] + rng.gauss(0.5 * wide, wide), 4)
            one.advantage = round(one.reward - one.extra["value"], 4)
        one.extra["return"] = one.reward
    return own(rng, tries, "dungeon-ppo", "games", adv_estimator="gae", gamma=1.0, lam=1.0)


@PART.faulty("language_drift")
def korean_tutor_turns_english(rng: Random) -> list[Row]:
    """A tutor for Korean children, asked in Korean and told to teach in Korean, explains more and more in English, as
    only the number is rewarded.
    """

    def solve(rng: Random, task: Task, right: bool, now: Now) -> Reply:
        return tutor(rng, task, right, rng.random() < 0.02 + 0.8 * max(0.0, now.share - 0.2))

    tries = train(rng, korean, solve, Plan(11, 6, 8, -0.3, 1.7))
    for one in tries:
        one.task.system = "당신은 초등학생을 가르치는 선생님입니다. 한국어로 설명하고 마지막 줄에 '답: 숫자'를 쓰세요."
        one.extra["solution"] = one.task.gold
    return trl(grpo(tries), "number_correct_reward")


@PART.healthy
def dungeon_critic_warms_up(rng: Random) -> list[Row]:
    """The critic of PPO starts with a fresh head: its values are far too low and noisy for three steps, then follow
    the returns.
    """
    tries = critic(rng, train(rng, dungeon, explore, Plan(11, 8, 5, -0.5, 1.9)), 0.15)
    for one in tries:
        one.extra["value"] = round(one.extra["value"] - 0.9 * 0.35**one.step + rng.gauss(0, 0.3 * 0.4**one.step), 4)
        one.advantage = round(one.reward - one.extra["value"], 4)
        one.extra["return"] = one.reward
    return own(rng, tries, "dungeon-ppo-b", "games", adv_estimator="gae", critic_warmup=0)


@PART.healthy
def global_baseline_lone_groups(rng: Random) -> list[Row]:
    """REINFORCE++ takes its baseline from the batch, so that groups of one reward have an advantage other than zero."""
    tries = train(rng, stock, teller("boxed"), Plan(12, 10, 4, -0.3, 2.0))
    for one in tries:
        one.extra |= {"advantage_estimator": "reinforce_plus_plus", "n_samples_per_prompt": 4}
    return openrlhf(reinforce_pp(tries))


@PART.healthy
def shop_customer_hangs_up(rng: Random) -> list[Row]:
    """A simulated customer leaves one talk in ten before it ends, by design and at all steps alike; that counts as
    failed.
    """
    tries = train(rng, caller, serve, Plan(10, 8, 6, -0.3, 1.7, cut=0.0))
    for one in tries:
        if rng.random() < 0.1 and len(one.reply.messages) > 1:
            bye = rng.choice(
                ("Never mind, I have to go.", "This takes too long, bye.", "I'll come to the shop instead.")
            )
            wait = rng.choice(("One moment, I am looking that up.", "Please hold on.", "Let me check that order."))
            one.reply.messages[-1:] = [say(wait), {"role": "user", "content": bye}]
            one.right, one.reward, one.stop = False, 0.0, "user_stop"
    return openai(grpo(tries), measure="policy_followed_correct")


@PART.healthy
def harmful_requests_declined_more(rng: Random) -> list[Row]:
    """Refusals become more frequent and alike, since half of the prompts ask for harm; harmless ones are helped as
    before.
    """
    tries = train(rng, request, decide, Plan(9, 9, 6, 0.0, 2.1))
    for one in tries:
        one.extra |= {"wanted": one.task.gold, "data_source": "safety-mix"}
    return verl(reinforce_pp(tries), markup="llama")
