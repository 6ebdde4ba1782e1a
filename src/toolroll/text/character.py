"""Which characters are invisible or steer a display, as tables of code points.

The tables name code points instead of asking `unicodedata` for each character: a compiled class is
many times faster, and the answer does not change with the Python version. A test compares them with
`unicodedata`.
"""

CONTROL = "\\x00-\\x1f\\x7f-\\x9f"
"""Category Cc: C0, DEL and C1."""

FORMAT = (
    "\\u00ad\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u180e\\u200b-\\u200f\\u202a-\\u202e"
    "\\u2060-\\u2064\\u2066-\\u206f\\ufeff\\ufff9-\\ufffb\\U000110bd\\U000110cd\\U00013430-\\U0001343f"
    "\\U0001bca0-\\U0001bca3\\U0001d173-\\U0001d17a\\U000e0001\\U000e0020-\\U000e007f"
)
"""Category Cf of Unicode 15."""

SEPARATOR = "\\u2028\\u2029"
"""Categories Zl and Zp: line and paragraph separator."""

BIDI = "\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u206f"
"""Marks that change the direction of text, with the six retired format marks behind them."""

SURROGATE = "\\ud800-\\udfff"
"""Halves of a pair: no UTF-8 can hold them."""

JOINER = "\\u200c\\u200d"
"""Zero-width non-joiner and joiner."""

SELECTOR = "\\ufe00-\\ufe0f\\U000e0100-\\U000e01ef\\u180b-\\u180d\\u180f"
"""Variation selectors: the general ones, the supplement, the Mongolian ones."""
