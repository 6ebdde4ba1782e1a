"""The promises of a source of tools."""
