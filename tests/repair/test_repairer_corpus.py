"""The texts of another repairer's tests: where we read them otherwise, and why.

Its values are one library's opinion, and many of them are guesses: words without quotes become
strings, what does not fit is left out. We agree where there is one reading.
"""

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from toolroll.repair import read_arguments

REFUSED = {
    "a word without quotes as a value: where does it end, is it text at all?": [
        *[4, 15, 20, 21, 23, 24, 26, 27, 30, 97, 100, 101, 110, 112, 144, 164, 165, 166]
    ],
    "quotes inside a string, not escaped, or one missing: where does the string end?": [
        *[10, 14, 16, 17, 19, 31, 37, 70, 74, 75, 104, 106, 109, 111, 113, 114, 115, 116, 118],
        *[126, 136, 197, 198],
    ],
    "stray words between members or items would be left out": [
        *[11, 12, 18, 28, 33, 89, 90, 91, 105]
    ],
    "brackets that do not match: which one is wrong?": [*[8, 34, 35, 36, 39, 40, 57, 71, 72, 196]],
    "a value is missing": [38, 46, 199],
    "members without an object, or no members inside braces": [41, 43, 44, 76, 77, 78, 80, 156],
    "no comma between items of an array": [65, 73],
    "members or arrays behind the end of the object": [45, 47, 48, 50, 51, 52, 188, 191],
    "an ellipsis stands for something": [61, 62, 64],
    "tuples are no JSON": [81, 82, 83, 84, 85, 86, 87, 88, 194],
    "a fraction, a range or half a number": [151, 153, 154, 157, 158, 159, 160, 163],
    "there is no JSON in it, which is told and not passed over": [6, 59, 95, 117, 167],
}
OTHER = {
    "a cut number may have gone on": [68, 155],
    "a cut string keeps every character that came": [22, 29, 69],
    "a cut key has no value": [32, 79],
    "a comment goes to the end of its line": [170],
    "several objects are told apart, not put into a list": [189],
    "an array behind the object is text around it": [190],
    "the line feed in a key is kept": [120],
    "literals are their values": [138, 139],
}

CUT = {
    *[3, 7, 9, 22, 29, 32, 55, 56, 58, 60, 66, 67, 68, 69, 79, 92, 98, 103, 108, 119, 134, 135],
    *[137, 155, 168, 170, 173, 179, 185],
}


def numbers(table: dict[str, list[int]]) -> set[int]:
    listed = [number for group in table.values() for number in group]
    assert len(listed) == len(set(listed))
    return set(listed)


def lines(corpora: Path) -> Iterable[tuple[int, dict[str, object]]]:
    path = corpora / "json-repair" / "json_repair.jsonl"
    return enumerate(map(json.loads, path.read_text("utf-8").splitlines()), 1)


@pytest.mark.corpora
@pytest.mark.rule("args-corpus-of-a-repairer")
def test_a_repairers_texts_are_read_alike_or_otherwise_for_a_reason(corpora: Path) -> None:
    refused, other = set[int](), set[int]()
    for number, case in lines(corpora):
        text, value = case["input"], case["value"]
        assert isinstance(text, str)
        read = read_arguments(text)
        if read.status == "malformed":
            refused.add(number)
        elif (read.value != value and not (value is None and read.value == {}) and value != "") or (
            value == "" and read.value != {}
        ):
            other.add(number)
    assert refused == numbers(REFUSED)
    assert other == numbers(OTHER)


@pytest.mark.corpora
@pytest.mark.rule("args-corpus-of-a-repairer")
def test_what_is_cut_in_a_repairers_texts_is_told(corpora: Path) -> None:
    told = {
        number
        for number, case in lines(corpora)
        if read_arguments(str(case["input"])).status == "truncated"
    }
    assert told == CUT
