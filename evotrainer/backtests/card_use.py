"""Which cards may say where a recipe moves their metric, and one line for each that may not.

A card is left out where it has expired, where it is no term of the grammar, where the attempts lack its columns, where
it does not vary among them, or where its cost exceeds the campaign's limit. The cost is what its card was
allowed when the gate tested it, so that equal campaigns leave out equal cards. The campaign goes on without it.
"""

from collections.abc import Sequence

from evotrainer.actions import action_classifier
from evotrainer.backtests.card_shift import feature_spread
from evotrainer.config import Config, HarnessConfig
from evotrainer.diagnosis.evolved.cards import Card
from evotrainer.diagnosis.evolved.measure import Rows
from evotrainer.evidence.frames import frame_of_rows
from evotrainer.records import Trajectory


def usable_cards(
    cards: Sequence[Card], attempts: Sequence[Trajectory], campaign: Config
) -> tuple[list[Card], list[str]]:
    """Return the cards that these attempts can be weighed by, and a line for each other one."""
    if campaign.harness.levers == "none":
        return [], []
    rows = Rows(frame_of_rows(attempts, action_classifier(campaign.harness.actions)))
    reasons = {card.name: reason_against(card, rows, campaign.harness) for card in cards}
    used = [card for card in cards if not reasons[card.name]]
    return used, [f"card {name} has no say: {reason}" for name, reason in reasons.items() if reason]


def reason_against(card: Card, rows: Rows, limits: HarnessConfig) -> str:
    """Return why a card says nothing of these rows; empty where it does."""
    if not card.is_in_force:
        return f"it has expired: {card.expired_because or 'no reason was kept'}"
    if card.cost is not None and card.cost.seconds > limits.plugin_seconds:
        return f"it may take {card.cost.seconds:g} s, limit harness.plugin_seconds={limits.plugin_seconds:g}"
    if card.cost is not None and card.cost.megabytes > limits.plugin_megabytes:
        return f"it may take {card.cost.megabytes} MB, limit harness.plugin_megabytes={limits.plugin_megabytes}"
    if card.term is None or card.alarm is None:
        return f"a card of kind {card.kind} that is no term of the grammar has no row feature"
    if card.term.statistic == "spread":
        return "a spread within groups is no mean over attempts"
    missing = [name for name in card.term.columns if name not in rows.frame.columns]
    if missing:
        return f"the attempts of this domain have no column {', '.join(missing)}"
    if not feature_spread(card.term, rows):
        return f"it abstains, since {card.term.formula} is the same in all of these attempts, or known in none"
    return ""
