"""What outlives campaigns: ledger, cases, skills, searches. A campaign reads it at its start and appends once."""

from evotrainer.campaign.memory.store import Memory, load_memory, save_memory

__all__ = ["Memory", "load_memory", "save_memory"]
