"""The Prefect task of the backtest stage: replay of the choice on cached evidence."""

from tasks.policy import stage_task

backtest = stage_task("backtest")
