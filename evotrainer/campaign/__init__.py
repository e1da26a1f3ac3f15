"""A campaign on disk: layout, reading and writing of versions, lineage, memory, receipts, seeds, costs."""
