"""The Prefect task of the backtest stage: replay of the choice on cached evidence."""

from tasks.running.prefect_task import stage_task

backtest = stage_task("backtest")
