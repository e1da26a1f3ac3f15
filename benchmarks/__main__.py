"""`python -m benchmarks`: long measurements that the documentation quotes; the same command resumes one."""

from benchmarks.commands import app

if __name__ == "__main__":
    app()
