"""Hooks of the documentation build: navigation and API pages made from what exists, llms.txt.

A page that is named in `SECTIONS` and not written yet is left out; a page that is written and not
named comes at the end of its folder's section, so that none is lost.
"""

from collections.abc import Iterable
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from scripts.api import facades

Nav = list[object]

SECTIONS: dict[str, tuple[str, ...]] = {
    "Start": ("index.md", "why.md", "glossary.md"),
    "Tools": (
        "defining.md",
        "input.md",
        "outcomes.md",
        "calling.md",
        "toolkits.md",
        "contracts.md",
    ),
    "Models": ("providers.md", "dialects.md", "repair.md", "repair-compared.md", "streaming.md"),
    "Sources": ("sources.md", "mcp-client.md", "http.md", "openapi.md", "catalog.md"),
    "Governing": ("policy.md", "approvals.md", "journal.md", "app.md"),
    "Many tools": ("search.md", "code-mode.md"),
    "Serving": ("mcp-server.md", "cli.md", "commands.md", "gateway.md", "adapters.md"),
    "Extending": ("writing-a-source.md", "testing.md", "limits.md", "security.md"),
}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Make the navigation."""
    docs = Path(config.docs_dir)
    there = {path.relative_to(docs).as_posix() for path in docs.rglob("*.md")}
    config.nav = navigation(there, [module.path for module in facades()])
    return config


def navigation(there: Iterable[str], packages: Iterable[str]) -> Nav:
    """The navigation over these pages and API pages of these packages."""
    left = set(there)
    nav: Nav = []

    def section(title: str, pages: Iterable[object]) -> None:
        if kept := list(pages):
            nav.append({title: kept})

    for title, pages in SECTIONS.items():
        kept = [page for page in pages if page in left]
        left.difference_update(kept)
        section(title, kept)
    reference = sorted(page for page in left if page.startswith("reference/"))
    decisions = sorted(page for page in left if page.startswith("decisions/"))
    left.difference_update(reference, decisions)
    section("More", sorted(left))
    section("Reference", [*reference, *({name: _page_of(name)} for name in packages)])
    section("Decisions", decisions)
    return nav


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add a page for each public package: its names with their docstrings."""
    for module in facades():
        exports = [str(name) for name in module.exports or ()]
        shown = "".join(f"        - {name}\n" for name in exports)
        text = f"# {module.path}\n\n::: {module.path}\n    options:\n      members:\n{shown}"
        files.append(File.generated(config, _page_of(module.path), content=text))
    return files


_TITLES: dict[str, str] = {}


def on_page_content(html: str, page: Page, **_: object) -> str:
    """Note each page's title for llms.txt."""
    _TITLES[page.url] = str(page.title)  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
    return html


def on_post_build(config: MkDocsConfig) -> None:
    """Write llms.txt: every page with its title, for readers that are programs."""
    rows = [f"- [{title}]({url or './'})" for url, title in _TITLES.items()]
    text = "\n".join([f"# {config.site_name}", "", f"> {config.site_description}", "", *rows])
    (Path(config.site_dir) / "llms.txt").write_text(text + "\n", encoding="utf-8")


def _page_of(package: str) -> str:
    return f"reference/api/{package}.md"
