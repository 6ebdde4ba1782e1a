"""The promises of a toolkit."""
