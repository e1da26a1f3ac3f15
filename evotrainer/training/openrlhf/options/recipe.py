"""Rows of the recipe: algorithm, reward, filter, sampling, data."""

from evotrainer.config import Config
from evotrainer.training.openrlhf.options.option import Flag, Note, Option, one, switch

_ESTIMATORS = {"group_std": "group_norm", "group_mean": "dr_grpo"}
_SEQUENCE_MEANS = ("grpo", "gspo")
_CLIP_RANGE = 1_000_000.0
"""OpenRLHF clips advantages at 10 unless told otherwise; argparse takes -1000000.0 as a number, and -1e6 not."""


def filters_group_by_group(config: Config) -> bool:
    """Tell whether the group filter drops groups, each by its own rewards."""
    return config.filter.group == "group_variance" or _is_absolute(config)


def refills(config: Config) -> bool:
    """Tell whether OpenRLHF is to sample further problems for groups that the filter drops."""
    return config.filter.refill and filters_group_by_group(config)


def train_batch(config: Config) -> int:
    """Return the trajectories of one optimiser step."""
    sampling = config.sampling
    return sampling.problems_per_step * sampling.group_size // config.algorithm.num_minibatches


def _masks(config: Config) -> bool:
    masks = config.filter
    return masks.mask_truncated or masks.mask_abandon or masks.mask_idle or masks.mask_echo


def _is_absolute(config: Config) -> bool:
    return config.filter.group == "std" and config.filter.std_mode == "absolute" and config.filter.min_keep == 0


def _warmup_ratio(config: Config) -> float:
    """Return the ratio whose product with the run's steps, rounded up, is warmup_steps."""
    algorithm = config.algorithm
    steps = config.budget.max_steps * algorithm.num_minibatches
    return (algorithm.warmup_steps - 0.5) / steps if algorithm.warmup_steps else 0.0


def _kl_is_on(config: Config) -> bool:
    return config.algorithm.kl_coefficient > 0


ALGORITHM = (
    Option(
        ("algorithm.loss",),
        "flags",
        "grpo: means of sequences; bnpo and dapo: mean of tokens; gspo: one ratio a sequence",
        (
            one("--actor.policy_loss_type", lambda c: "gspo" if c.algorithm.loss == "gspo" else "ppo"),
            one(
                "--actor.loss_agg_mode",
                lambda c: "seq-mean-token-mean" if c.algorithm.loss in _SEQUENCE_MEANS else "token-mean",
            ),
        ),
        refused=(
            Note(
                lambda c: c.algorithm.loss == "dr_grpo",
                "algorithm.loss=dr_grpo",
                "no loss of OpenRLHF divides by the response budget: choose bnpo with algorithm.advantage=group_mean",
            ),
            Note(
                lambda c: c.algorithm.loss == "dapo" and c.algorithm.num_minibatches > 1,
                "algorithm.loss=dapo with several minibatches",
                "OpenRLHF divides by the tokens of each minibatch: choose bnpo",
            ),
        ),
    ),
    Option(
        ("algorithm.advantage",),
        "flags",
        "group_std: group_norm; group_mean: the estimator dr_grpo, which only subtracts the mean",
        (one("--algo.advantage.estimator", lambda c: _ESTIMATORS.get(c.algorithm.advantage)),),
        refused=(
            Note(
                lambda c: c.algorithm.advantage not in _ESTIMATORS,
                "algorithm.advantage=batch_std",
                "reinforce_baseline whitens over tokens instead: choose group_std or group_mean",
            ),
        ),
        differs=(
            Note(
                lambda c: c.algorithm.advantage == "group_std",
                "algorithm.advantage=group_std",
                "1e-9 is added to the spread of a group, not 1e-4",
            ),
        ),
    ),
    Option(
        ("algorithm.learning_rate", "algorithm.weight_decay", "algorithm.adam_beta2", "algorithm.max_grad_norm"),
        "flags",
        "AdamW, the rate constant after its warm-up",
        (
            one("--actor.adam.lr", lambda c: c.algorithm.learning_rate),
            one("--actor.adam.weight_decay", lambda c: c.algorithm.weight_decay),
            Flag("--actor.adam.betas", lambda c: (0.9, c.algorithm.adam_beta2)),
            one("--actor.max_norm", lambda c: c.algorithm.max_grad_norm),
            one("--actor.lr_scheduler", lambda c: "constant_with_warmup"),
        ),
        differs=(
            Note(
                lambda c: c.algorithm.weight_decay > 0,
                "algorithm.weight_decay above 0",
                "biases and norms do not decay",
            ),
        ),
    ),
    Option(
        ("algorithm.warmup_steps",),
        "flags",
        "as a share of the run's steps",
        (one("--actor.lr_warmup_ratio", _warmup_ratio),),
        differs=(
            Note(
                lambda c: c.algorithm.warmup_steps > 0,
                "algorithm.warmup_steps above 0",
                "the first step has rate 0: the warm-up is one step late",
            ),
        ),
    ),
    Option(
        ("algorithm.clip_low", "algorithm.clip_high"),
        "flags",
        "clip-higher: two bounds",
        (Flag("--actor.eps_clip_low_high", lambda c: (c.algorithm.clip_low, c.algorithm.clip_high)),),
    ),
    Option(
        ("algorithm.dual_clip",),
        "flags",
        "left out where it is 0",
        (one("--actor.dual_clip", lambda c: c.algorithm.dual_clip or None),),
        refused=(
            Note(
                lambda c: 0 < c.algorithm.dual_clip < 1 + c.algorithm.clip_high,
                "algorithm.dual_clip below 1 + algorithm.clip_high",
                "OpenRLHF would undo the upper clip: choose 0, or at least 1 + algorithm.clip_high",
            ),
        ),
    ),
    Option(
        ("algorithm.kl_coefficient", "algorithm.kl_estimator"),
        "flags",
        "a term of the loss; with coefficient 0 no reference policy is loaded, and no KL is measured",
        (
            one("--algo.kl.init_coef", lambda c: c.algorithm.kl_coefficient),
            switch("--algo.kl.use_loss", _kl_is_on),
            one("--algo.kl.estimator", lambda c: c.algorithm.kl_estimator if _kl_is_on(c) else None),
        ),
        differs=(
            Note(
                lambda c: _kl_is_on(c) and c.algorithm.loss in _SEQUENCE_MEANS,
                "algorithm.kl_coefficient above 0 with algorithm.loss=grpo or gspo",
                "the KL term is the mean over tokens, whatever the loss",
            ),
        ),
    ),
    Option(
        ("algorithm.entropy_coefficient",),
        "flags",
        "0 measures entropy and pays nothing for it",
        (one("--actor.entropy_coef", lambda c: c.algorithm.entropy_coefficient),),
    ),
    Option(
        ("algorithm.num_minibatches",),
        "flags",
        "trajectories of a step, divided by it",
        (one("--train.batch_size", train_batch), one("--train.max_epochs", lambda c: 1)),
        refused=(
            Note(
                lambda c: (c.sampling.problems_per_step * c.sampling.group_size) % c.algorithm.num_minibatches != 0,
                "algorithm.num_minibatches",
                "it must divide sampling.problems_per_step times sampling.group_size",
            ),
        ),
        differs=(
            Note(
                lambda c: c.algorithm.num_minibatches > 1,
                "algorithm.num_minibatches above 1",
                "old probabilities are the trainer's before the step, not the sampler's",
            ),
        ),
    ),
)

_NO_CODE = "workers run no code of interventions: choose engine.train=torch"

REWARD = (
    Option(
        ("reward.code",), "agent", "refused", refused=(Note(lambda c: bool(c.reward.code), "reward.code", _NO_CODE),)
    ),
    Option(
        ("reward.correction",),
        "agent",
        "refused",
        refused=(Note(lambda c: bool(c.reward.correction), "reward.correction", _NO_CODE),),
    ),
    Option(
        tuple(
            f"reward.{name}"
            for name in (
                "correct",
                "format",
                "partial",
                "length_penalty",
                "overlong_penalty",
                "search_before_edit",
                "edit_then_test",
                "judge",
                "terms",
            )
        ),
        "agent",
        "our grader and our weights, so that `--reward.overlong_buffer_len` and its kind stay unused",
        (Flag("--reward.clip_range", lambda c: (-_CLIP_RANGE, _CLIP_RANGE)),),
    ),
)

FILTER = (
    Option(
        ("filter.group", "filter.std_mode", "filter.absolute_std", "filter.min_keep"),
        "agent",
        "none, group_variance, and std by an absolute limit: what a group's own rewards decide",
        refused=(
            Note(
                lambda c: c.filter.group in ("ragen_v1", "ragen_v2"),
                "filter.group=ragen_v1 or ragen_v2",
                "OpenRLHF compares no groups of a batch: choose none or group_variance",
            ),
            Note(
                lambda c: c.filter.group == "std" and not _is_absolute(c),
                "filter.group=std with a moving limit or filter.min_keep above 0",
                "OpenRLHF compares no groups: set filter.std_mode=absolute and filter.min_keep=0, or group_variance",
            ),
        ),
    ),
    Option(("filter.keep_ratio", "filter.ema_decay"), "agent", "of filters that are refused"),
    Option(
        ("filter.refill",),
        "flags",
        "dynamic filtering; `scores` say whether a group is kept: 0.5, else 0",
        (
            switch("--algo.dynamic_filtering_enable", refills),
            Flag("--algo.dynamic_filtering_range", lambda c: (0.0, 1.0) if refills(c) else None),
        ),
        differs=(Note(refills, "filter.refill=true", "there is no limit of rounds of refilling"),),
    ),
    Option(
        ("filter.mask_code", "filter.group_code"),
        "agent",
        "refused",
        refused=(
            Note(lambda c: bool(c.filter.mask_code), "filter.mask_code", _NO_CODE),
            Note(lambda c: bool(c.filter.group_code), "filter.group_code", _NO_CODE),
        ),
    ),
    Option(
        ("filter.mask_truncated", "filter.mask_abandon", "filter.mask_idle", "filter.mask_echo"),
        "agent",
        "a masked attempt has no tokens in the loss",
        differs=(
            Note(
                _masks,
                "filter.mask_truncated=true and other masks",
                "a masked attempt stands at the mean of its group: it moves no mean, but makes the spread smaller",
            ),
        ),
    ),
)

SAMPLING = (
    Option(
        ("sampling.temperature", "sampling.top_p"),
        "flags",
        "as they are",
        (
            one("--rollout.temperature", lambda c: c.sampling.temperature),
            one("--rollout.top_p", lambda c: c.sampling.top_p),
        ),
        differs=(
            Note(
                lambda c: c.sampling.temperature != 1,
                "sampling.temperature other than 1",
                "ratios and KL are those of the tempered policy",
            ),
        ),
    ),
    Option(
        ("sampling.group_size", "sampling.problems_per_step"),
        "flags",
        "as they are",
        (
            one("--rollout.n_samples_per_prompt", lambda c: c.sampling.group_size),
            one("--rollout.batch_size", lambda c: c.sampling.problems_per_step),
        ),
    ),
    Option(
        ("sampling.max_response_tokens", "sampling.max_turns"),
        "agent",
        "limits of a turn and of an episode; OpenRLHF itself bounds no turn",
        (
            one("--rollout.max_new_tokens", lambda c: c.sampling.max_response_tokens),
            switch("--vllm.enable_prefix_caching", lambda c: c.sampling.max_turns > 1),
        ),
    ),
)

DATA = (
    Option(
        ("data.curriculum", "data.band_low", "data.band_high"),
        "prompts",
        "none and band: which problems are written",
        refused=(
            Note(
                lambda c: c.data.curriculum in ("easy_first", "hard_first"),
                "data.curriculum=easy_first or hard_first",
                "OpenRLHF shuffles all prompts of a run: choose none or band",
            ),
        ),
    ),
    Option(
        ("data.mixture", "data.weight_code"),
        "prompts",
        "how often the problems of a family, or of a weight, are written",
        differs=(Note(lambda c: True, "data", "prompts are shuffled over the run: a step may meet a problem twice"),),
    ),
)

RECIPE = (*ALGORITHM, *REWARD, *FILTER, *SAMPLING, *DATA)
