"""GEAR (arXiv 2605.13874): a bounded frontier of elite versions in place of one incumbent; docs/search.md."""
