"""The embedded policy: a tiny Llama over characters, written so that a stage starts without importing transformers."""
