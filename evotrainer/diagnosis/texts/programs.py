"""The program that a text holds, as a number: attempts with the same one differ in their words alone."""

import re
import zlib

_BLOCK = re.compile(r"```[\w+#-]*[ \t]*\n(.*?)```", re.DOTALL)


def program_number(text: str) -> str:
    """Return a number of the last fenced block without blanks and a last semicolon; empty where there is none."""
    blocks = _BLOCK.findall(text) if "```" in text else []
    return str(zlib.crc32("".join(blocks[-1].split()).rstrip(";").encode(errors="replace"))) if blocks else ""
