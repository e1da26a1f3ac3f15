"""Rollouts on a vLLM server, through its OpenAI-compatible HTTP interface; vLLM itself is never imported here.

engine.py ─► server.py ─► process.py ─► the server, with in_server/ in its workers
    │            └─► canary.py   have the weights arrived?
    └─► client.py, completions.py: one request a completion, many in flight
"""
