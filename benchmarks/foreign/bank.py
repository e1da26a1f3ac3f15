"""The bank: its parts by name."""

from collections.abc import Collection, Sequence

from benchmarks.foreign.blind import BLIND
from benchmarks.foreign.case import Kind
from benchmarks.foreign.eighteenth import EIGHTEENTH
from benchmarks.foreign.eighth import EIGHTH
from benchmarks.foreign.eleventh import ELEVENTH
from benchmarks.foreign.fifteenth import FIFTEENTH
from benchmarks.foreign.fiftieth import FIFTIETH
from benchmarks.foreign.fiftyeighth import FIFTYEIGHTH
from benchmarks.foreign.fiftyfifth import FIFTYFIFTH
from benchmarks.foreign.fiftyfirst import FIFTYFIRST
from benchmarks.foreign.fiftyfourth import FIFTYFOURTH
from benchmarks.foreign.fiftyninth import FIFTYNINTH
from benchmarks.foreign.fiftysecond import FIFTYSECOND
from benchmarks.foreign.fiftyseventh import FIFTYSEVENTH
from benchmarks.foreign.fiftysixth import FIFTYSIXTH
from benchmarks.foreign.fiftythird import FIFTYTHIRD
from benchmarks.foreign.fortieth import FORTIETH
from benchmarks.foreign.fortyeighth import FORTYEIGHTH
from benchmarks.foreign.fortyfifth import FORTYFIFTH
from benchmarks.foreign.fortyfirst import FORTYFIRST
from benchmarks.foreign.fortyfourth import FORTYFOURTH
from benchmarks.foreign.fortyninth import FORTYNINTH
from benchmarks.foreign.fortysecond import FORTYSECOND
from benchmarks.foreign.fortyseventh import FORTYSEVENTH
from benchmarks.foreign.fortysixth import FORTYSIXTH
from benchmarks.foreign.fortythird import FORTYTHIRD
from benchmarks.foreign.fourteenth import FOURTEENTH
from benchmarks.foreign.fresh import FRESH
from benchmarks.foreign.later import LATER
from benchmarks.foreign.nineteenth import NINETEENTH
from benchmarks.foreign.ninth import NINTH
from benchmarks.foreign.practice import PRACTICE
from benchmarks.foreign.reported import REPORTED
from benchmarks.foreign.seventeenth import SEVENTEENTH
from benchmarks.foreign.seventh import SEVENTH
from benchmarks.foreign.sixteenth import SIXTEENTH
from benchmarks.foreign.sixth import SIXTH
from benchmarks.foreign.sixtieth import SIXTIETH
from benchmarks.foreign.sixtyfirst import SIXTYFIRST
from benchmarks.foreign.sixtyfourth import SIXTYFOURTH
from benchmarks.foreign.sixtysecond import SIXTYSECOND
from benchmarks.foreign.sixtythird import SIXTYTHIRD
from benchmarks.foreign.tenth import TENTH
from benchmarks.foreign.thirteenth import THIRTEENTH
from benchmarks.foreign.thirtieth import THIRTIETH
from benchmarks.foreign.thirtyeighth import THIRTYEIGHTH
from benchmarks.foreign.thirtyfifth import THIRTYFIFTH
from benchmarks.foreign.thirtyfirst import THIRTYFIRST
from benchmarks.foreign.thirtyfourth import THIRTYFOURTH
from benchmarks.foreign.thirtyninth import THIRTYNINTH
from benchmarks.foreign.thirtysecond import THIRTYSECOND
from benchmarks.foreign.thirtyseventh import THIRTYSEVENTH
from benchmarks.foreign.thirtysixth import THIRTYSIXTH
from benchmarks.foreign.thirtythird import THIRTYTHIRD
from benchmarks.foreign.tuned import TUNED
from benchmarks.foreign.twelfth import TWELFTH
from benchmarks.foreign.twentieth import TWENTIETH
from benchmarks.foreign.twentyeighth import TWENTYEIGHTH
from benchmarks.foreign.twentyfifth import TWENTYFIFTH
from benchmarks.foreign.twentyfirst import TWENTYFIRST
from benchmarks.foreign.twentyfourth import TWENTYFOURTH
from benchmarks.foreign.twentyninth import TWENTYNINTH
from benchmarks.foreign.twentysecond import TWENTYSECOND
from benchmarks.foreign.twentyseventh import TWENTYSEVENTH
from benchmarks.foreign.twentysixth import TWENTYSIXTH
from benchmarks.foreign.twentythird import TWENTYTHIRD
from evotrainer.errors import ConfigError

PARTS: dict[str, Sequence[Kind]] = {
    "blind": BLIND,
    "fresh": FRESH,
    "later": LATER,
    "practice": PRACTICE,
    "reported": REPORTED,
    "seventh": SEVENTH,
    "eighth": EIGHTH,
    "ninth": NINTH,
    "tenth": TENTH,
    "eleventh": ELEVENTH,
    "twelfth": TWELFTH,
    "thirteenth": THIRTEENTH,
    "fourteenth": FOURTEENTH,
    "fifteenth": FIFTEENTH,
    "sixteenth": SIXTEENTH,
    "eighteenth": EIGHTEENTH,
    "seventeenth": SEVENTEENTH,
    "twentieth": TWENTIETH,
    "nineteenth": NINETEENTH,
    "twentyfirst": TWENTYFIRST,
    "twentysecond": TWENTYSECOND,
    "twentythird": TWENTYTHIRD,
    "twentyfourth": TWENTYFOURTH,
    "twentyfifth": TWENTYFIFTH,
    "twentysixth": TWENTYSIXTH,
    "twentyseventh": TWENTYSEVENTH,
    "twentyninth": TWENTYNINTH,
    "twentyeighth": TWENTYEIGHTH,
    "thirtieth": THIRTIETH,
    "thirtyfirst": THIRTYFIRST,
    "thirtysecond": THIRTYSECOND,
    "thirtythird": THIRTYTHIRD,
    "thirtyfourth": THIRTYFOURTH,
    "thirtyfifth": THIRTYFIFTH,
    "thirtysixth": THIRTYSIXTH,
    "thirtyseventh": THIRTYSEVENTH,
    "thirtyeighth": THIRTYEIGHTH,
    "thirtyninth": THIRTYNINTH,
    "fortieth": FORTIETH,
    "fortyfirst": FORTYFIRST,
    "fortysecond": FORTYSECOND,
    "fortythird": FORTYTHIRD,
    "fortyfourth": FORTYFOURTH,
    "fortyfifth": FORTYFIFTH,
    "fortysixth": FORTYSIXTH,
    "fortyseventh": FORTYSEVENTH,
    "fortyeighth": FORTYEIGHTH,
    "fortyninth": FORTYNINTH,
    "fiftieth": FIFTIETH,
    "fiftyfirst": FIFTYFIRST,
    "fiftysecond": FIFTYSECOND,
    "fiftythird": FIFTYTHIRD,
    "fiftyfourth": FIFTYFOURTH,
    "fiftyfifth": FIFTYFIFTH,
    "fiftysixth": FIFTYSIXTH,
    "fiftyseventh": FIFTYSEVENTH,
    "fiftyeighth": FIFTYEIGHTH,
    "fiftyninth": FIFTYNINTH,
    "sixtieth": SIXTIETH,
    "sixtyfirst": SIXTYFIRST,
    "sixtysecond": SIXTYSECOND,
    "sixtythird": SIXTYTHIRD,
    "sixtyfourth": SIXTYFOURTH,
    "sixth": SIXTH,
    "tuned": TUNED,
}


def chosen_parts(names: Collection[str], parts: Collection[str] = ()) -> dict[str, Sequence[Kind]]:
    """Return the kinds with these names of these parts, all where none is given; raises ConfigError for another."""
    if unknown := sorted(set(parts) - set(PARTS)):
        raise ConfigError(f"'{unknown[0]}' is no part of the bank: choose from {', '.join(PARTS)}")
    known = {kind.name for kinds in PARTS.values() for kind in kinds}
    if unknown := sorted(set(names) - known):
        raise ConfigError(f"'{unknown[0]}' is no kind of foreign evidence: choose from {', '.join(sorted(known))}")
    return {
        part: [kind for kind in kinds if not names or kind.name in names]
        for part, kinds in PARTS.items()
        if not parts or part in parts
    }
