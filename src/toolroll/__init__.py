"""Tools of LLM agents."""
