"""Tools out of Python files and modules."""

import hashlib
import importlib
import importlib.util
import re
import sys
from pathlib import Path, PureWindowsPath
from types import ModuleType
from typing import Any, cast

from toolroll.outcome import ConfigError, DefinitionError
from toolroll.toolkit.derived import HasSnapshot
from toolroll.toolkit.local import LocalToolkit
from toolroll.toolkit.protocol import Toolkit
from toolroll.tools.tool import AnyTool, Tool

_WITH_NAME = re.compile(r"(?P<where>.+):(?P<name>[^:\\/]*)", re.DOTALL)
_NOT_IN_NAMES = re.compile(r"[^a-z0-9-]+")


def load_python(place: str, folder: Path, name: str | None = None) -> Toolkit[Any]:
    """The tools of a Python file or module.

    Of a whole file or module these count: a toolkit called `toolkit` or `kit`, else every tool at
    its top level, in order. `package.module:name` and `file.py:name` take one toolkit or tool.

    Args:
        place: a file (relative to `folder`), a module, or either with `:name`.
        folder: where relative files begin.
        name: name of the toolkit that loose tools are put into; the file's own if not given.

    Raises:
        ConfigError: it cannot be loaded, or holds no tools.
        DefinitionError: a tool in it is wrong.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> from toolroll import CallContext
        >>> code = '''
        ... from toolroll import tool
        ...
        ... @tool(effect="read", description="Say how many notes there are.")
        ... def note_count() -> int:
        ...     return 2
        ... '''
        >>> with TemporaryDirectory() as folder:
        ...     _ = Path(folder, "notebook.py").write_text(code)
        ...     kit = load_python("notebook.py", Path(folder))
        >>> [tool.name for tool in kit.listing(CallContext()).tools]
        ['note_count']
    """
    where, attribute = parts_of(place)
    module = _file(folder / where) if where.endswith(".py") else _module(where, folder)
    return _tools_of(module, attribute, place, name or name_of(where))


def name_of(place: str) -> str:
    """A source name made of a file's or module's name.

    Example:
        >>> name_of("tools/My Notebook.py"), name_of("shop.orders")
        ('my_notebook', 'orders')
    """
    is_file = place.endswith(".py")
    stem = PureWindowsPath(place).stem if is_file else place.rpartition(".")[2]  # / and \
    name = _NOT_IN_NAMES.sub("_", stem.lower()).strip("_-")
    name = re.sub(r"_{2,}", "_", name)[:32].strip("_-")
    return name if name[:1].isalpha() else f"tools_{name}"[:32].strip("_-")


def parts_of(place: str) -> tuple[str, str]:
    r"""A file or module, and the name behind the last colon, "" for none.

    Example:
        >>> parts_of("shop.orders:kit"), parts_of("notebook.py"), parts_of(r"C:\notes\book.py:kit")
        (('shop.orders', 'kit'), ('notebook.py', ''), ('C:\\notes\\book.py', 'kit'))
    """
    found = _WITH_NAME.fullmatch(place)
    return (found["where"], found["name"]) if found else (place, "")


def _file(path: Path) -> ModuleType:
    if not path.is_file():
        raise ConfigError(f"{path}: there is no such file.")
    # The name is made of the whole path: two files of one name do not replace each other.
    digest = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:12]
    module_name = f"_toolroll_file_{path.stem}_{digest}"
    if module_name in sys.modules:
        return sys.modules[module_name]
    spec = importlib.util.spec_from_file_location(module_name, path)
    if spec is None or spec.loader is None:
        raise ConfigError(f"{path}: is no Python file.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    beside = str(path.resolve().parent)
    sys.path.insert(0, beside)
    try:
        spec.loader.exec_module(module)
    except DefinitionError as error:
        sys.modules.pop(module_name, None)
        raise DefinitionError(f"{path}: {error}", tool=error.tool, pointer=error.pointer) from error
    except KeyboardInterrupt:
        sys.modules.pop(module_name, None)
        raise
    except BaseException as error:  # also a file that ends the process when it is loaded
        sys.modules.pop(module_name, None)
        raise ConfigError(f"{path}: cannot be loaded: {_told(error)}.") from error
    finally:
        if beside in sys.path:
            sys.path.remove(beside)
    return module


def _module(name: str, folder: Path) -> ModuleType:
    beside = str(folder.resolve())
    sys.path.insert(0, beside)
    try:
        return importlib.import_module(name)
    except (DefinitionError, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise ConfigError(f"module {name!r} cannot be loaded: {_told(error)}.") from error
    finally:
        if beside in sys.path:
            sys.path.remove(beside)


def _told(error: BaseException) -> str:
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:  # its own text is broken; its kind says enough
        return type(error).__name__


def _tools_of(module: ModuleType, attribute: str, place: str, name: str) -> Toolkit[Any]:
    if attribute:
        found = getattr(module, attribute, None)
        if found is None:
            raise ConfigError(f"{place}: there is no {attribute!r} in it.")
        return _toolkit(found, place, name)
    for usual in ("toolkit", "kit"):
        if isinstance(found := getattr(module, usual, None), HasSnapshot):
            return cast("Toolkit[Any]", found)
    found_tools = (
        cast("AnyTool", value) for value in vars(module).values() if isinstance(value, Tool)
    )
    tools = list({id(made): made for made in found_tools}.values())
    if not tools:
        raise ConfigError(
            f"{place}: no tools in it; decorate functions with @tool(effect=...) "
            "or name a toolkit 'kit'."
        )
    return LocalToolkit(name, *tools)


def _toolkit(found: object, place: str, name: str) -> Toolkit[Any]:
    if isinstance(found, Tool):
        return LocalToolkit(name, cast("Tool[Any, ..., object]", found))
    if hasattr(found, "listing") and hasattr(found, "call"):
        return cast("Toolkit[Any]", found)
    raise ConfigError(f"{place}: is {type(found).__name__}, neither a tool nor a toolkit.")
