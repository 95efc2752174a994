"""Node ids become names that nothing can break out of, and come back."""

import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookviz.diagram.ids import attribute_id, decode_id, encode_id

ANY_TEXT = st.text(st.characters(exclude_categories=()))
"""Half surrogate pairs and control characters too."""


def test_ordinary_ids_stay_readable() -> None:
    assert encode_id("module:layer1.conv1") == "module_3a_layer1_2e_conv1"
    assert decode_id("module_3a_layer1_2e_conv1") == "module:layer1.conv1"


@given(ANY_TEXT)
def test_every_id_comes_back(node_id: str) -> None:
    assert decode_id(encode_id(node_id)) == node_id


@given(ANY_TEXT)
def test_encoded_ids_are_letters_digits_hyphens_and_underscores(node_id: str) -> None:
    assert re.fullmatch(r"[A-Za-z0-9_-]*", encode_id(node_id))


@given(ANY_TEXT)
def test_text_that_decodes_is_the_encoding_of_what_it_decodes_to(text: str) -> None:
    try:
        node_id = decode_id(text)
    except ValueError:
        return

    assert encode_id(node_id) == text


@pytest.mark.parametrize("text", ["a.b", "_", "_3a", "_3A_", "_03a_", "_61_", "_110000_", "é", "a\n"])
def test_what_is_no_encoded_id_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no encoded id"):
        decode_id(text)


def test_an_id_is_its_own_attribute_unless_xml_forbids_it() -> None:
    assert attribute_id('module:"<a>"\n한국어 😀') == 'module:"<a>"\n한국어 😀'
    assert attribute_id("a\x00b\ud800c\uffff_") == "a_0_b_d800_c_ffff__"


@given(ANY_TEXT)
def test_attributes_survive_xml(node_id: str) -> None:
    value = attribute_id(node_id)

    written = ET.tostring(ET.Element("g", {"data-node": value}), encoding="unicode")

    assert ET.fromstring(written).get("data-node") == value
