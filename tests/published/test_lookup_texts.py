"""The sentences by which rows are looked up."""

from gistmill.published.lookup.texts import sentences_of


def test_rows_of_natural_text_are_split_by_the_rules():
    row = {"inputs": "Mr. Roe came.[MASK1]She left.", "targets": "He stayed. All did."}
    assert list(sentences_of(row)) == ["Mr. Roe came.", "She left.", "He stayed.", "All did."]


def test_a_whole_text_is_split_line_by_line():
    row = {"text": "Range\nMr. Roe came. She left.", "title": "Otter", "section_titles": ["Range"]}
    assert list(sentences_of(row)) == ["Range", "Mr. Roe came.", "She left."]


def test_rows_of_tokenised_text_are_split_at_their_marks():
    row = {"inputs": "mr. roe came . [MASK1] she left , too .", "targets": "he stayed . all did ."}
    assert list(sentences_of(row)) == ["mr. roe came .", "she left , too .", "he stayed .", "all did ."]
