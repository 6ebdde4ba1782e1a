"""The plugin, where Toolroll is not installed with its entry point; and order after faulty sources."""

from collections.abc import Iterator

import pytest

from tests.testing.faulty import clear_up

PLUGIN = "toolroll.testing.plugin"


def pytest_configure(config: pytest.Config) -> None:
    """Load the plugin if it has not come by itself."""
    if not config.pluginmanager.has_plugin(PLUGIN):
        config.pluginmanager.import_plugin(PLUGIN)


@pytest.fixture(autouse=True)
def _cleared() -> Iterator[None]:
    """Close what a faulty source left open on purpose."""
    yield
    clear_up()
