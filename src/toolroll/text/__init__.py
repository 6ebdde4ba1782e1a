"""Cleaning of lines and texts that others wrote, and their width in a terminal."""

from toolroll.text.cleaning import REMOVALS, Cleaned, clean_text
from toolroll.text.line import join_surrogates, sanitize_line, sanitize_text
from toolroll.text.terminal import json_for_terminal, remove_escapes
from toolroll.text.width import cell_width, cut_to_width

__all__ = [
    "REMOVALS",
    "Cleaned",
    "cell_width",
    "clean_text",
    "cut_to_width",
    "join_surrogates",
    "json_for_terminal",
    "remove_escapes",
    "sanitize_line",
    "sanitize_text",
]
