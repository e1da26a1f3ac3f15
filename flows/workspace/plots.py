"""The page of `dvc plots diff` with its scripts inside, so that a browser draws it without a network.

    python -m flows.workspace.plots                   makes it and names it in the checkout's local DVC configuration

DVC's own page loads Vega from a server. DVC takes another page instead (`plots.html_template`), which here holds Vega,
Vega-Lite and Vega-Embed as the package vl-convert ships them. Set-up makes it; campaigns take over the setting.
"""

from pathlib import Path
from typing import cast

import vl_convert
from dvc.config import Config as DvcConfig

from evotrainer.campaign.atomic import write_atomic

PAGE = Path("plots") / "offline.html"
"""In .dvc/, to which DVC takes the setting to be relative; git does not see it."""
VEGA_LITE = "5.21"
"""The last version that reads the charts of dvc-render, which are of Vega-Lite 5."""
TEMPLATE = """<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
{refresh_tag}
<title>DVC plots</title>
<script>
(() => {
"use strict";
SCRIPTS
})();
</script>
</head>
<body>
{plot_divs}
</body>
</html>
"""


def write_page(root: Path) -> Path:
    """Write the page in a checkout and let its DVC use it, unless its configuration names another page."""
    page = root / ".dvc" / PAGE
    scripts = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", VEGA_LITE)
    write_atomic(page, TEMPLATE.replace("SCRIPTS", scripts))
    if "html_template" not in DvcConfig(str(root / ".dvc"))["plots"]:
        with DvcConfig(str(root / ".dvc")).edit("local") as level:
            cast(dict, level).setdefault("plots", {})["html_template"] = PAGE.as_posix()
    return page


if __name__ == "__main__":
    write_page(Path(__file__).resolve().parents[2])
