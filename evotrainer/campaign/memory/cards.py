"""Cards as memory: what evolved diagnostics measured or moved, and what they were worth in each campaign.

Kept like skills: a trial a campaign, two that say one thing are one, and one that fails twice more than it holds is
retired. Two say one thing where they read the same part of the same columns in the same direction, or move the same
limits the same way; mean, share and quantile of one column are one thing. The better record gives the definition.
A bound is not kept: another campaign finds its own, since scales differ by domain.
"""

from collections.abc import Iterable, Sequence

from evotrainer.records import CardTrial, RememberedCard

_LEVELS = ("mean", "share", "quantile")


def with_cards(known: Sequence[RememberedCard], left: Iterable[RememberedCard]) -> list[RememberedCard]:
    """Return the cards of the memory with those that a campaign left, by name."""
    cards = list(known)
    for card in left:
        place = next((i for i, one in enumerate(cards) if meaning(one) == meaning(card)), None)
        if place is None:
            cards.append(card.model_copy(update={"name": _free(card.name, [one.name for one in cards])}))
        else:
            cards[place] = _united(cards[place], card)
    return sorted(cards, key=lambda card: card.name)


def meaning(card: RememberedCard) -> tuple[object, ...]:
    """Return what a card says: equal for two that say one thing."""
    if card.limits:
        return (card.mode, *sorted(card.limits))
    statistic = str(card.term.get("statistic", ""))
    level = "level" if statistic in _LEVELS else statistic
    place = tuple(str(card.term.get(key, "")) for key in ("column", "over", "part", "family"))
    return (level, card.sign, *place)


def candidates(cards: Sequence[RememberedCard], domain: str) -> list[RememberedCard]:
    """Return what a campaign may ask its gate about: general cards and the domain's own first, none that retired."""
    standing = [card for card in cards if card.standing != "retired"]
    return sorted(standing, key=lambda card: (not _is_native(card, domain), card.failures - card.successes, card.name))


def _is_native(card: RememberedCard, domain: str) -> bool:
    return card.standing == "general" or any(trial.domain == domain for trial in card.trials)


def _united(old: RememberedCard, new: RememberedCard) -> RememberedCard:
    """Return both as one: trials of one campaign seed with one outcome in a domain may be the same draws."""
    drawn = {_draws(trial) for trial in old.trials}
    trials = [*old.trials, *(trial for trial in new.trials if _draws(trial) not in drawn)]
    better = old if _worth(old) >= _worth(new) else new
    also = sorted({*old.also, *new.also, new.name} - {old.name})
    return better.model_copy(update={"trials": trials, "also": also, "name": old.name})


def _worth(card: RememberedCard) -> tuple[int, float]:
    areas = [trial.separation.area for trial in card.trials if trial.separation]
    return card.successes - card.failures, max(areas, default=0.0)


def _draws(trial: CardTrial) -> tuple[str, int, str]:
    return trial.domain, trial.campaign_seed, trial.outcome


def _free(name: str, taken: Sequence[str]) -> str:
    return next(one for one in (name, *(f"{name}_{number}" for number in range(2, 1000))) if one not in taken)
