"""The pages are served, and hold to the content-security policy before a browser has to say so."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import httpx2

WEB = Path(__file__).parents[3] / "app" / "web"
STATIC = WEB / "static"
VENDOR = STATIC / "vendor"
OURS = sorted(
    path
    for path in WEB.rglob("*")
    if path.suffix in {".html", ".css", ".js", ".svg"} and VENDOR not in path.parents
)
SCRIPTS = [path for path in OURS if path.suffix == ".js"]
PAGES = sorted(WEB.glob("*.html"))
ELSEWHERE = re.compile(r"(?:https?:)?//[\w-]+\.[\w.-]+", re.I)
NAMESPACE = "http://www.w3.org/2000/svg"
# Of what is run, and of the types in comments.
IMPORT = re.compile(
    r"""^(?:import|export)\b[^;]*?from\s+["']([^"']+)["']|\bimport\(["']([^"']+)["']\)""", re.M
)
EXPORT = re.compile(r"^export (?:async )?(?:function\*?|class|const) (\w+)", re.M)
PASSED_ON = re.compile(r"^export \{([^}]*)\}", re.M)
NAMED = re.compile(r"""^import \{([^}]*)\} from ["']([^"']+)["']""", re.M)
# What would read a string as HTML or as a program.
UNSAFE = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|srcdoc|\beval\(|new Function"
)


class Elements(HTMLParser):
    """The elements of a page with their attributes, and what stands inside scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.inline = ""
        self._inside = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        self._inside = tag

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside in {"script", "style"}:
            self.inline += data.strip()


def elements(page: Path) -> Elements:
    return Elements(page.read_text("utf-8"))


def name_of(path: Path) -> str:
    return str(path.relative_to(WEB))


def imported(script: Path) -> Iterator[tuple[str, Path]]:
    for run, typed in IMPORT.findall(script.read_text("utf-8")):
        target = run or typed
        is_absolute = target.startswith("/static/")
        base = STATIC / target.removeprefix("/static/") if is_absolute else script.parent / target
        yield target, base.resolve()


def exported(script: Path) -> set[str]:
    text = script.read_text("utf-8")
    passed_on = ",".join(PASSED_ON.findall(text)).split(",")
    return {*EXPORT.findall(text), *(name.strip() for name in passed_on if name.strip())}


async def test_a_page_needs_no_credential(anyone: httpx2.AsyncClient) -> None:
    titles = {
        "/": "Chat",
        "/c/6f1c2f0a-3a51-4bb1-9b1e-2c6d3a0f4a11": "Chat",
        "/memory": "Memory",
        "/sign-in": "Sign in",
    }
    for path, title in titles.items():
        answer = await anyone.get(path)

        assert answer.status_code == 200, path
        assert answer.headers["content-type"] == "text/html; charset=utf-8", path
        assert answer.headers["cache-control"] == "no-cache", path
        assert "script-src 'self'" in answer.headers["content-security-policy"], path
        assert f"<title>{title} · Keepsake</title>" in answer.text, path
        again = await anyone.get(path, headers={"If-None-Match": answer.headers["etag"]})
        assert (again.status_code, again.content) == (304, b""), path
        assert again.headers["cache-control"] == "no-cache", path


async def test_a_file_has_its_type_and_is_asked_about_each_time(
    anyone: httpx2.AsyncClient,
) -> None:
    kinds = {
        "js/chat/page.js": "text/javascript",
        "vendor/markdown-it/markdown-it.mjs": "text/javascript",
        "css/base.css": "text/css",
        "icon.svg": "image/svg+xml",
    }
    for path, kind in kinds.items():
        answer = await anyone.get(f"/static/{path}")
        known = {"If-None-Match": answer.headers["etag"]}
        again = await anyone.get(f"/static/{path}", headers=known)
        looked = await anyone.head(f"/static/{path}")

        assert answer.status_code == 200, path
        assert answer.headers["content-type"] == f"{kind}; charset=utf-8", path
        assert answer.headers["cache-control"] == "no-cache", path
        assert (again.status_code, again.content) == (304, b""), path
        assert (looked.status_code, looked.content) == (200, b""), path


async def test_nothing_beside_the_files_is_served(anyone: httpx2.AsyncClient) -> None:
    paths = ("nothing.js", "../pages.py", "%2e%2e/pages.py", "..%2fchat.html", "js", "")
    statuses = {path: (await anyone.get(f"/static/{path}")).status_code for path in paths}

    assert statuses == dict.fromkeys(paths, 404)


async def test_the_pages_are_not_in_the_description(anyone: httpx2.AsyncClient) -> None:
    paths = (await anyone.get("/openapi.json")).json()["paths"]

    assert not {"/", "/memory", "/sign-in", "/static/{path}"} & set(paths)


def test_there_are_pages_scripts_and_files_to_look_at() -> None:
    assert PAGES
    assert SCRIPTS
    assert len(OURS) > len(PAGES) + len(SCRIPTS)


def test_a_page_has_no_script_or_style_of_its_own() -> None:
    for page in PAGES:
        found = elements(page)

        assert found.inline == "", page
        assert [tag for tag, _ in found.found if tag == "style"] == [], page
        attributes = {name for _, given in found.found for name in given}
        own = {name for name in attributes if name == "style" or name.startswith("on")}
        assert own == set(), page
        assert all(given.get("src") for tag, given in found.found if tag == "script"), page


def test_a_page_names_files_that_exist() -> None:
    for page in PAGES:
        named = [
            given.get("src") or given.get("href") or ""
            for tag, given in elements(page).found
            if tag in {"script", "link", "img"}
        ]

        assert named, page
        assert [name for name in named if not name.startswith("/static/")] == [], page
        files = [STATIC / name.removeprefix("/static/") for name in named]
        assert [file for file in files if not file.is_file()] == [], page


def test_a_page_has_a_language_a_title_and_one_main() -> None:
    for page in PAGES:
        found = elements(page).found
        tags = [tag for tag, _ in found]

        assert dict(found)["html"].get("lang") == "en", page
        assert (tags.count("title"), tags.count("main")) == (1, 1), page


def test_no_file_names_another_site() -> None:
    texts = {name_of(file): file.read_text("utf-8").replace(NAMESPACE, "") for file in OURS}

    assert {name: sites for name, text in texts.items() if (sites := ELSEWHERE.findall(text))} == {}
    assert [name for name, text in texts.items() if "@import" in text] == []


def test_a_script_imports_what_exists() -> None:
    missing = []
    for script in SCRIPTS:
        missing += [
            f"{name_of(script)}: {target}"
            for target, path in imported(script)
            if not path.is_file()
        ]
        for names, target in NAMED.findall(script.read_text("utf-8")):
            if target.startswith("/static/vendor/"):
                continue
            wanted = {name.split(" as ")[0].strip() for name in names.split(",") if name.strip()}
            unknown = wanted - exported((script.parent / target).resolve())
            missing += [f"{name_of(script)}: {name} of {target}" for name in unknown]

    assert missing == []


def test_no_string_is_read_as_html() -> None:
    unsafe = {name_of(script): UNSAFE.findall(script.read_text("utf-8")) for script in SCRIPTS}

    assert {name: found for name, found in unsafe.items() if found} == {}


def test_every_script_is_used() -> None:
    begun = {
        (STATIC / src.removeprefix("/static/")).resolve()
        for page in PAGES
        for tag, given in elements(page).found
        if tag == "script" and (src := given.get("src"))
    }
    used, waiting = set(begun), list(begun)
    while waiting:
        for _, path in imported(waiting.pop()):
            if path not in used:
                used.add(path)
                waiting.append(path)

    assert {path.resolve() for path in SCRIPTS} <= used


def test_what_is_not_ours_has_its_licence_and_its_sum() -> None:
    folder = VENDOR / "markdown-it"
    [sum_] = re.findall(r"`([0-9a-f]{64})`", (folder / "README.md").read_text("utf-8"))

    assert "Permission is hereby granted" in (folder / "LICENSE").read_text("utf-8")
    assert hashlib.sha256((folder / "markdown-it.mjs").read_bytes()).hexdigest() == sum_
