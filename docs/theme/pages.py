"""Pages of the site that are not in ``docs``: root files, a chapter of the README, notebooks, examples, the logo."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[2]
FROM_ROOT = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
"""Files of the root, and their names as pages."""
EXAMPLES = ("*.py", "*.npz")
"""Files in ``examples`` that pages may link to."""
CHAPTER = "Installing"
"""The chapter of the README that becomes ``install.md``."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are not in ``docs``; a notebook becomes a page beside its file."""
    for source, page in FROM_ROOT.items():
        files.append(File.generated(config, page, content=_from_root((ROOT / source).read_text())))
    files.append(File.generated(config, "install.md", content=_from_root(_chapter((ROOT / "README.md").read_text()))))
    files.append(File.generated(config, "theme/logo.svg", content=(ROOT / "web" / "src" / "icon.svg").read_bytes()))
    for notebook in sorted(Path(config.docs_dir).glob("notebooks/*.ipynb")):
        page = notebook.relative_to(config.docs_dir).with_suffix(".md").as_posix()
        files.append(File.generated(config, page, content=notebook_page(json.loads(notebook.read_text()))))
    for kind in EXAMPLES:
        for example in sorted((ROOT / "examples").rglob(kind)):
            place = example.relative_to(ROOT).as_posix()
            content = example.read_bytes()
            files.append(File.generated(config, place, content=content, inclusion=InclusionLevel.INCLUDED))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Point links to files, notebooks and examples at their pages, and mark Python sessions as such."""
    for source, name in FROM_ROOT.items():
        markdown = markdown.replace(f"](../{source}", f"]({name}")
    markdown = markdown.replace("](../examples/", "](examples/")
    markdown = re.sub(r"(\]\(notebooks/[\w-]+)\.ipynb\)", r"\1.md)", markdown)
    return re.sub(r"^```python\n(?=>>> )", "```pycon\n", markdown, flags=re.MULTILINE)


def notebook_page(notebook: dict[str, Any]) -> str:
    """A notebook as a page: its text, its code, and its stored output."""
    parts: list[str] = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
        elif cell["cell_type"] == "code" and source.strip():
            parts.append(f"```python\n{source}\n```")
            parts += filter(None, map(_shown, cell.get("outputs", [])))
    return "\n\n".join(parts) + "\n"


def _shown(output: dict[str, Any]) -> str:
    data = output.get("data", {})
    for form in ("text/html", "image/svg+xml"):
        if form in data:
            # an empty line would end the block for Markdown
            drawn = re.sub(r"\n\s*\n", "\n", "".join(data[form])).strip()
            return f'<div class="shown">\n{drawn}\n</div>'
    if "image/png" in data:
        return f'<img class="shown" alt="" src="data:image/png;base64,{"".join(data["image/png"]).strip()}">'
    text = "".join(data.get("text/plain", output.get("text", ""))).rstrip()
    return f"```text\n{text}\n```" if text else ""


def _from_root(text: str) -> str:
    text = text.replace("](docs/", "](")
    for source, page in FROM_ROOT.items():
        text = text.replace(f"]({source}", f"]({page}")
    return text


def _chapter(readme: str) -> str:
    """The chapter on installing, with its heading as the title."""
    found = re.search(rf"^## ({CHAPTER}\n.*?)(?=^## )", readme, re.MULTILINE | re.DOTALL)
    if found is None:
        raise ValueError(f"the README has no chapter {CHAPTER!r}, which the site shows as a page")
    return f"# {found[1]}"
