"""What ends a night, done to a short campaign: how it goes on, and whether it ends as an undisturbed one."""
