from __future__ import annotations

import re
from html.parser import HTMLParser

from eval.page import HtmlPlot, HtmlTable, PageSection, render_page

VOID = {"meta", "img"}


class Balanced(HTMLParser):
    """Fails where a tag is closed that is not open."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def _page() -> str:
    grid = HtmlTable("by <set>", ("set", "recall"), [("a & b", 0.5), ("c", None)])
    section = PageSection(
        "Answers", "More than 1 > 0.", [grid], [HtmlPlot("what it shows", b"\x89PNG")]
    )
    return render_page("A <title>", {"commit": "abc", "min_relevance": 0.3}, [section])


def test_the_page_is_whole() -> None:
    parser = Balanced()
    parser.feed(_page())
    parser.close()
    assert parser.open == []
    assert parser.seen.count("table") == 2
    assert "img" in parser.seen


def test_what_it_tells_is_escaped() -> None:
    page = _page()
    assert "<set>" not in page
    assert "by &lt;set&gt;" in page
    assert "a &amp; b" in page
    assert "<title>A &lt;title&gt;</title>" in page


def test_a_figure_that_was_not_measured_is_a_dash() -> None:
    assert "<td>c</td><td>–</td>" in _page()


def test_nothing_is_fetched() -> None:
    page = _page()
    assert re.findall(r'(?:src|href)="([^"]{0,22})', page) == ["data:image/png;base64,"]
    assert "script" not in page
    assert "http" not in page
