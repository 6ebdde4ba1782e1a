"""Tools of a server under test."""

from toolroll import Refusal, tool


@tool(effect="read")
def day_of(number: int) -> str:
    """Name a day of the week by its number, 1 to 7."""
    days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    if not 1 <= number <= len(days):
        raise Refusal("no-such-day", "A week has 7 days.", ["days\t1\t7"])
    return days[number - 1]
