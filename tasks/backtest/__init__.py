"""Backtest: replay the chosen intervention on cached evidence, with a probe where sampling changes."""
