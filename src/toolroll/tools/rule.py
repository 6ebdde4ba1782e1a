"""The rules of definitions, held where a tool is made."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar, cast

from toolroll.outcome import DefinitionError
from toolroll.schema import Finding
from toolroll.schema.limit import DEFAULT_LIMITS
from toolroll.schema.plain import plain_copy
from toolroll.schema.reading import RejectedInput
from toolroll.schema.rule import first_error
from toolroll.tools.definition import ToolDefinition
from toolroll.tools.tool import AnyTool

T = TypeVar("T")

_DEEPEST = DEFAULT_LIMITS.schema_depth * 2 + 16
_TEXTS = ("description", "title", "snippet")


def check_words(name: str, words: Mapping[str, object]) -> None:
    """Make sure that what is said of a tool is text, before anything is made of it.

    Args:
        name: of the tool.
        words: by field; None is nothing said.

    Raises:
        DefinitionError: names the tool and the field.
    """
    for field, said in words.items():
        if said is not None and not isinstance(said, str):
            raise DefinitionError(
                f"{name}: {field} must be a text, got {said!r:.60}; write it in quotes or leave "
                "it out.",
                tool=name,
            )


def check_record(name: str, field: str, given: object, kind: type) -> None:
    """Make sure that an option is the record it has to be.

    Args:
        name: of the tool.
        field: of the option.
        given: what came; None is nothing.
        kind: the class of the record.

    Raises:
        DefinitionError: names the tool and the field.
    """
    if given is not None and not isinstance(given, kind):
        raise DefinitionError(
            f"{name}: {field} must be a {kind.__name__}, got {given!r:.60}; "
            f"write {field}={kind.__name__}(...).",
            tool=name,
        )


def check_definition(definition: ToolDefinition) -> None:
    """Make sure that the words of a definition are texts, and lists of words are tuples of them.

    Raises:
        DefinitionError: names the tool and the field.
    """
    name = definition.name
    check_words(name, {field: getattr(definition, field) for field in _TEXTS})
    for field in ("guidelines", "tags"):
        said: object = getattr(definition, field)
        if not isinstance(said, (list, tuple)) or not all(
            isinstance(item, str) for item in cast("Sequence[object]", said)
        ):
            raise DefinitionError(
                f"{name}: {field} must be a tuple of texts, got {said!r:.60}; "
                f'write {field}=("...",).',
                tool=name,
            )


def check_meta(definition: ToolDefinition) -> None:
    """Make sure that what a definition carries along can be listed and stored.

    Raises:
        DefinitionError: names the tool and the field that is no JSON.
    """
    for name in ("meta", "extra", "examples"):
        carried = getattr(definition, name)
        if carried and plain_copy(carried, DEFAULT_LIMITS.value_depth)[1]:
            raise DefinitionError(
                f"{definition.name}: {name} is no JSON; give texts, finite numbers, booleans, "
                "lists and objects.",
                tool=definition.name,
            )


def own_words(definition: ToolDefinition) -> ToolDefinition:
    """The definition in plain JSON of its own: any mapping or tuple will do to write it, and what
    becomes of what was written changes no tool.

    Args:
        definition: whose parts were found to be JSON.
    """

    def own(value: T) -> T:
        return cast("T", plain_copy(value, _DEEPEST)[0])

    return replace(
        definition,
        input_schema=own(definition.input_schema),
        output_schema=own(definition.output_schema),
        examples=tuple(map(own, definition.examples)),
        meta=own(definition.meta),
        extra=own(definition.extra),
    )


def check_schemas(definition: ToolDefinition, *, open_too: bool, output: bool = True) -> None:
    """Hold schemas to the rules of definitions; the first error is raised, with its place.

    Args:
        definition: of the tool.
        open_too: objects may take keys they do not name.
        output: look at the output schema too; one that was made of a type needs no look.

    Raises:
        DefinitionError: names tool, place, fault and mend.
    """
    found = first_error(definition.input_schema, allow_open=open_too)
    if found is not None:
        raise _broken(definition.name, "input_schema", found)
    if output and definition.output_schema is not None:
        # What comes out may hold more than it names; nobody misspells it.
        found = first_error(definition.output_schema, allow_open=True)
        if found is not None:
            raise _broken(definition.name, "output_schema", found)


def _broken(name: str, which: str, finding: Finding) -> DefinitionError:
    message = f"{name}: {which} at {finding.pointer or '/'}: {finding.fault}; {finding.mend}."
    return DefinitionError(message, tool=name, pointer=finding.pointer)


def check_examples(tool: AnyTool) -> None:
    """Hold a tool to its own examples.

    Raises:
        DefinitionError: one of them does not fit.
    """
    for number, example in enumerate(tool.definition.examples):
        read = tool.reader.read(example, repair="off")
        if isinstance(read, RejectedInput):
            faults = "; ".join(f"{issue.pointer or '/'} {issue.problem}" for issue in read.issues)
            raise DefinitionError(
                f"{tool.name}: example {number} does not fit: {faults}.", tool=tool.name
            )
