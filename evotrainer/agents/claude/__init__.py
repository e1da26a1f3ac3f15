"""A trainer agent that asks a Claude model, or any model behind the Messages API. docs/claude.md describes it.

    opening ─► model ─► tool calls ─► results ─► model ─► ... ─► propose ─► laws ─► candidates
               (client)   (tools, candidates)                 (conversation)

Only client.py imports the SDK, and only when a question has to be sent: a recorded stage needs neither SDK nor key.
"""
