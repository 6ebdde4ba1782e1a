"""The plugin, where Toolroll is on the path and not installed with its entry point."""

import pytest

PLUGIN = "toolroll.testing.plugin"


def pytest_configure(config: pytest.Config) -> None:
    """Load the plugin if it has not come by itself."""
    if not config.pluginmanager.has_plugin(PLUGIN):
        config.pluginmanager.import_plugin(PLUGIN)
