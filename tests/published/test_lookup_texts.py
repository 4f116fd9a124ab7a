"""The sentences by which rows are looked up."""

from gistmill.published.lookup.writing import place_of, sentences_of, sentences_of_reject


def test_rows_of_natural_text_are_split_by_the_rules():
    row = {"inputs": "Mr. Roe came.[MASK1]She left.", "targets": "He stayed. All did."}
    assert list(sentences_of(row)) == ["Mr. Roe came.", "She left.", "He stayed.", "All did."]


def test_a_whole_text_is_split_line_by_line():
    row = {"text": "Range\nMr. Roe came. She left.", "title": "Otter", "section_titles": ["Range"]}
    assert list(sentences_of(row)) == ["Range", "Mr. Roe came.", "She left."]


def test_rows_of_tokenised_text_are_split_at_their_marks():
    row = {"inputs": "mr. roe came . [MASK1] she left , too .", "targets": "he stayed . all did ."}
    assert list(sentences_of(row)) == ["mr. roe came .", "she left , too .", "he stayed .", "all did ."]


def test_rows_of_statements_hold_sentences_that_are_not_split():
    row = {"id": "a-00007-01", "proposition": "Mr. Roe said: go.", "sentence": "He said: go. Now!", "sentence_index": 7}
    assert list(sentences_of(row)) == ["Mr. Roe said: go.", "He said: go. Now!"]
    assert [place_of(row, matches) for matches in ([True, False], [False, True], [False, False])] == [7, 7, None]
    whole = {"sentence": "He left. Now!", "propositions": ["Roe left. Now!"], "sentence_index": 0}
    assert list(sentences_of(whole)) == ["He left. Now!"] and place_of(whole, [True]) == 0


def test_a_rejected_sentence_is_quoted_behind_its_first_colon():
    reject = {"unit": "sentence", "detail": "sentence: Who wrote that : was it him ?"}
    assert sentences_of_reject(reject) == ["Who wrote that : was it him ?"]
