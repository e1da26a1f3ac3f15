"""Programs that provably leave nothing behind, many of them and all their inputs in one execution of the sandbox."""
