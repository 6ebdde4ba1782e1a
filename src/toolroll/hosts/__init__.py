"""The doors through which agents reach a toolkit: servers, commands, frameworks."""
