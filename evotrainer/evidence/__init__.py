"""Evidence: stored trajectories and signals. Parquet on disk, DuckDB for questions, JSONL for exchange."""
