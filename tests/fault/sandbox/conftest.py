"""One sandbox of each backend that this machine gives, and a check after each attack that it still works."""

from collections.abc import Iterator

import pytest

from evotrainer.errors import SandboxError
from evotrainer.sandbox import Program, Sandbox
from evotrainer.sandbox.sandbox import BACKENDS


@pytest.fixture(scope="module", params=BACKENDS)
def sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    try:
        opened = Sandbox(request.param).__enter__()
    except SandboxError as error:
        pytest.skip(str(error))
    yield opened
    opened.__exit__(None, None, None)


@pytest.fixture(autouse=True)
def still_works(sandbox: Sandbox, request: pytest.FixtureRequest) -> Iterator[None]:
    """After each attack the sandbox runs an honest program, in the same zygote.

    Behind Landlock a zygote whose program left folders that it cannot remove is replaced.
    """
    zygote = sandbox._idle.get()
    sandbox._idle.put(zygote)
    yield
    may_be_replaced = sandbox.backend == "landlock" and "nothing_is_left" in request.node.name
    assert zygote.is_running or may_be_replaced
    assert sandbox.run(Program("print(sum(range(10)))")).stdout == "45\n"
