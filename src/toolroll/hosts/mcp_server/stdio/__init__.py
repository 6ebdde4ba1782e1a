"""The server over the standard streams of its process."""
