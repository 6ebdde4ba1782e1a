"""Every repair of a text by name: what was found, and how it was read."""

from collections.abc import Mapping

REPAIRS: Mapping[str, str] = {
    # Around the value
    "text_before": "Text, a tag or a sentence before the object was left out.",
    "text_after": "Text, a tag or a sentence behind the object was left out.",
    "code_fence": "A Markdown code fence around the object was taken off.",
    "extra_closer": "A closing bracket that closes nothing was left out.",
    "encoded_twice": "The whole arguments were a JSON string that holds an object; that was read.",
    "empty_object": "An empty object beside another one was left out.",
    "same_object": "The same object stood there again; it counts once.",
    # Inside the value
    "odd_space": "Space that JSON does not know (no-break space, byte order mark) was skipped.",
    "comment": "A comment was skipped.",
    "trailing_comma": "A comma before a closing bracket, or behind the object, was left out.",
    "missing_comma": "A comma was missing before a quoted key.",
    "python_literal": "True, False, None (in any case) or a number like 1_000 or .5 was read.",
    "single_quotes": "A string in single quotes was read as a string.",
    "smart_quotes": "A string in typographic quotes was read as a string.",
    "unquoted_key": "A key without quotes was read as a key.",
    "control_character": "A raw control character (line feed, tab, ...) in a string was kept.",
    "escape": "An escape that only Python or JavaScript knows was read as there.",
    "double_escape": "A doubly escaped \\uXXXX was read as that character (only when asked for).",
    "duplicate_key": "The same key stood twice in an object; the last one counts.",
    # Cut texts
    "closed_string": "The text was cut inside this string; what arrived is kept.",
    "closed_array": "The text was cut inside this array; its whole items are kept.",
    "closed_object": "The text was cut inside this object; its whole members are kept.",
    "dropped_value": "A value was cut so that nothing of it can be trusted, or it never came.",
    "dropped_key": "A key was cut, or came without a value.",
}
"""Kind of repair and its meaning. The docs print this table."""
