"""Figures of pages as inline SVG: no script, no outside file, colours from the page's own style in light and dark."""
