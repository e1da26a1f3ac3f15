"""What an episode may read or call: the access policies that a domain orders from open to strict."""

from pydantic import Field

from evotrainer.records.base import Record


class AccessPolicy(Record):
    """A named restriction of what an episode may read or call.

    Of two policies of a domain the one with the higher strictness restricts all that the other restricts, and answers
    all failure modes that the other answers.
    """

    name: str = "full"
    strictness: int = Field(default=0, ge=0, description="0: open")
    answers: list[str] = Field(default=[], description="failure modes that a score under this policy settles")
    wording: str = Field(default="with full access", description="the end of 'scored again ...'")
