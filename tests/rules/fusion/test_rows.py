from gistmill.rules.fusion.rows import COLUMNS, fault

ROW = {
    "coherent_first_sentence": "He won , but he left .",
    "coherent_second_sentence": "",
    "incoherent_first_sentence": "He won .",
    "incoherent_second_sentence": "He left .",
    "inputs": "He won. He left.",
    "targets": "He won, but he left.",
    "edits": ["2 delete", "3 before , but", "3 lower"],
}
PAIR = {
    **ROW,
    "coherent_first_sentence": "He won .",
    "coherent_second_sentence": "But he left .",
    "targets": "He won. But he left.",
    "edits": ["3 before but", "3 lower"],
}


MARKED = {
    **ROW,
    "coherent_first_sentence": "He 'd won -- but he left -- it .",
    "incoherent_first_sentence": "He 'd won .",
    "incoherent_second_sentence": "He left -- it .",
    "inputs": "He’d won. He left—it.",
    "targets": "He’d won — but he left—it.",
    "edits": ["3 delete", "4 before — but", "4 lower"],
}


def test_a_row_that_keeps_the_law():
    for row in [ROW, PAIR, MARKED]:
        assert set(row) == set(COLUMNS) and fault(row) is None, row


def test_a_row_that_breaks_it():
    for change, said in [
        ({"edits": ["2 delete"]}, "the edits do not make the tokens of the text"),
        ({"edits": []}, "the edits do not make the tokens of the text"),
        ({"edits": ["2 delete", "9 delete"]}, "'9 delete' is behind the end"),
        ({"edits": ["2 remove"]}, "'2 remove' is not an edit"),
        ({"targets": "He won , but he left."}, "the edits do not make the natural text"),
        ({"inputs": "He won. She left."}, "the text does not go on with 'He'"),
        ({"coherent_second_sentence": "x"}, "the edits do not make the tokens of the text"),
        ({"edits": None}, "the value of edits is not a list of texts"),
        ({"edits": "2 delete"}, "the value of edits is not a list of texts"),
        ({"edits": ["2 delete", None]}, "the value of edits is not a list of texts"),
        ({"inputs": None}, "the value of inputs is not a text"),
        ({"incoherent_first_sentence": 7}, "the value of incoherent_first_sentence is not a text"),
    ]:
        assert said in fault({**ROW, **change}), change


def test_a_row_of_other_marks_breaks_it():
    assert fault({**MARKED, "targets": "He’d won -- but he left—it."}) == "the edits do not make the natural text"
    assert fault({**MARKED, "coherent_first_sentence": "He 'd won , but he left -- it ."}) is not None
