"""What sampled tokens say, by the tokenizer of the campaign's policy where its file is at hand; ids otherwise.

All versions of a campaign have the tokenizer of its base policy. One that only transformers could read is left alone:
it would take seconds to load.
"""

from functools import cached_property

from tokenizers import Tokenizer

from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles
from evotrainer.config import load_config
from evotrainer.engines import policy_path
from evotrainer.engines.codec import TOKENIZER_FILE, read_tokenizer
from evotrainer.errors import PolicyError

UNDECODED = "\N{REPLACEMENT CHARACTER}"
SHOWN = {" ": "\N{OPEN BOX}", "\n": "\N{RETURN SYMBOL}", "\t": "\N{RIGHTWARDS ARROW TO BAR}"}
"""White space that a page would not show."""


class TokenTexts:
    """Texts of token ids; the tokenizer is read with the first of them."""

    def __init__(self, files: CampaignFiles) -> None:
        self._files = files

    @property
    def is_known(self) -> bool:
        """Whether there is a tokenizer."""
        return self._tokenizer is not None

    def text(self, token: int) -> str:
        """Return what a token says, white space made visible; part of a character as its piece, else its id."""
        if self._tokenizer is None:
            return str(token)
        said = self._tokenizer.decode([token], skip_special_tokens=False)
        if not said or UNDECODED in said:
            return self._tokenizer.id_to_token(token) or str(token)
        return said.translate(str.maketrans(SHOWN))

    @cached_property
    def _tokenizer(self) -> Tokenizer | None:
        policy = policy_path(self._files, load_config(self._files.config), BASE_VERSION)
        if not (policy / TOKENIZER_FILE).is_file():
            return None
        try:
            return read_tokenizer(policy)
        except PolicyError:  # a page shows what it can
            return None
