"""Elements are written as ``xml.etree`` writes them, character for character."""

from xml.etree import ElementTree as ET

import pytest

from hookviz.diagram.markup import to_markup

SOURCES = [
    '<svg width="1" height="2" />',
    '<g><title>a &lt; b &amp; c &gt; d "e"</title>\n<text xml:space="preserve">  x </text> tail &amp; more<rect /></g>',
    '<g data-node="&quot;&amp;&lt;&gt;&#9;&#10;&#13;ä→\'"><g /></g>',
    "<title />",
    "<title></title>",
]


@pytest.mark.parametrize("source", SOURCES)
def test_element_is_written_as_the_standard_library_writes_it(source: str) -> None:
    element = ET.fromstring(source)

    assert to_markup(element) == ET.tostring(element, encoding="unicode")


def test_what_would_end_an_attribute_or_a_text_is_escaped() -> None:
    element = ET.Element("g", {"data-node": '"><script>'})
    element.text = "</g><script>"

    assert to_markup(element) == '<g data-node="&quot;&gt;&lt;script&gt;">&lt;/g&gt;&lt;script&gt;</g>'
