"""The server as an ASGI application."""
