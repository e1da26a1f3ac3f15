"""The command line: one module a group of commands. What a command needs is imported when it runs."""
