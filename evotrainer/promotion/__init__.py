"""Is a version better? Statistics, the verdict in words, and sequential gates within an error budget."""
