"""Work that several campaigns share: trainings and completions, kept by the hash of whatever decides their bytes."""
