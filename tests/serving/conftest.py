import pytest

from tests.browser import browser, page
from tests.serving.running import running

__all__ = ["browser", "page", "server"]


@pytest.fixture(scope="session")
def server():
    """A server with the defaults, for tests that leave it as it is."""
    with running("--read-timeout", 1.5) as found:
        yield found
