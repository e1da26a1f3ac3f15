"""Work that several campaigns share: trainings and attempts, kept by the hash of whatever decides their bytes."""
