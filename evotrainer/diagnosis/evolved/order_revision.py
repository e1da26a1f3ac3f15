"""Which layer of findings comes first: the answer to predictions that fail.

Each trained candidate followed findings of some layer, and whether its prediction came true is that layer's record. The
layer with the best record comes first. Known-good here is a prediction that came true. The chance is that of as large a
lead of *any* layer when hits and misses are permuted.
"""

from collections.abc import Sequence

import numpy as np

from evotrainer.campaign.labels import ENOUGH_EACH, MIN_EACH, doubts
from evotrainer.diagnosis.evolved.cards import Card, Order, Plugin
from evotrainer.diagnosis.evolved.gate import Judged
from evotrainer.diagnosis.evolved.proposals import AUTHOR, free_name
from evotrainer.diagnosis.evolved.separation import dealings
from evotrainer.diagnosis.finding_order import LAYERS, Layer, layer_of
from evotrainer.records import Gap, Separation, VersionRecord

_ORDERS: dict[Layer, Order] = {"score": "score-first", "signal": "signal-first", "behaviour": "behaviour-first"}


def order_revision(
    gap: Gap, records: Sequence[VersionRecord], current: str, date: str, taken: Sequence[str], seed: int, level: float
) -> tuple[Plugin, Judged] | None:
    """Return the order of the layer with the best record; None where it is in force or none leads."""
    layer = best_layer(records)
    if layer is None or _ORDERS[layer] == current:
        return None
    order = _ORDERS[layer]
    card = Card(
        name=free_name(order.replace("-", "_"), date, taken),
        kind="order",
        status="provisional",
        gap=f"{gap.version}: {gap.message}",
        gap_kind=gap.kind,
        formula=f"findings of the {layer} layer come first",
        order=order,
        author=AUTHOR,
        date=date,
    )
    return Plugin(card=card), judge_order(card, records, seed, level)


def best_layer(records: Sequence[VersionRecord]) -> Layer | None:
    """Return the layer whose findings led to the best share of predictions that came true; None without a lead."""
    trials = _trials(records)
    leads = {layer: _lead([hit for _, hit in trials], [layer in layers for layers, _ in trials]) for layer in LAYERS}
    layer = max(LAYERS, key=lambda name: leads[name])
    return layer if leads[layer] > 0 else None


def judge_order(card: Card, records: Sequence[VersionRecord], seed: int, level: float, is_new: bool = True) -> Judged:
    """Return whether the lead of the layer that a card reads first is more than chance."""
    trials, layer = _trials(records), (card.order or "").removesuffix("-first")
    hits = np.array([hit for _, hit in trials], dtype=bool)
    follows = {name: [name in layers for layers, _ in trials] for name in LAYERS}
    lead = _lead(list(hits), follows[layer]) if layer in follows else 0.0
    dealt = list(dealings(hits, seed)) if len(hits) else []
    largest = [max(_lead(list(labels), follows[name]) for name in LAYERS) for labels in dealt]
    chance = float(np.mean([one >= lead - 1e-12 for one in largest])) if largest else 1.0
    num_hits, num_misses = int(hits.sum()), int((~hits).sum())
    found = Separation(num_good=num_hits, num_bad=num_misses, area=0.5 + lead / 2, caught=0.0, p_value=chance)
    if lead <= 0:
        return Judged(None, f"predictions that follow the {layer} layer come true no more often than others", found)
    if min(num_hits, num_misses) < MIN_EACH:
        reason = f"{num_hits} predictions that came true and {num_misses} that did not are too few to judge it"
        return Judged(None if is_new else card.status, reason, found)
    if min(num_hits, num_misses) >= ENOUGH_EACH:
        is_significant = chance <= level
        size = "more" if is_significant else "no more"
        shown = f"(p {chance:.3f}, level {level:.4f})"
        reason = f"predictions that follow the {layer} layer lead by {lead:.0%}, {size} than chance {shown}"
        return Judged("accepted" if is_significant else None, reason, found)
    return Judged("provisional" if is_new else card.status, f"a lead of {lead:.0%} on {len(trials)} predictions", found)


def _trials(records: Sequence[VersionRecord]) -> list[tuple[set[Layer], bool]]:
    """Return, for each prediction that was observed, the layers that it followed and whether it came true.

    A version with a doubted score does not count: its prediction was not observed.
    """
    return [
        ({layer_of(mode) for mode in record.intervention.evidence if ":" not in mode}, record.verdict.prediction_hit)
        for record in records
        if record.intervention is not None and record.verdict.prediction_hit is not None and not doubts(record)
    ]


def _lead(hits: Sequence[bool], follows: Sequence[bool]) -> float:
    """Return the share of hits among trials that follow a layer, minus that among the others; 0 where either lacks."""
    inside = [hit for hit, follow in zip(hits, follows, strict=True) if follow]
    outside = [hit for hit, follow in zip(hits, follows, strict=True) if not follow]
    return float(np.mean(inside) - np.mean(outside)) if inside and outside else 0.0
