"""The rates of `balanced`: what the fit aims at, and what it says when it cannot."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gistmill.rules.discofuse import config as balance
from gistmill.rules.discofuse.config import CONVENTIONS, DiscoFuseConfig, Groups
from research.fit_balance import AND, BUT, KEPT, NONE, count, fit, groups_of, main

sizes = st.integers(500, 5000)


@given(sizes, sizes, sizes, sizes, sizes)
def test_shares_are_those_of_the_released_part(none, anaphora, and_, but, others):
    full = Groups(none=none, anaphora=anaphora, and_=and_, but=but)
    try:
        rates = fit(full, others)
    except ValueError:
        assume(False)
    kept = {name: getattr(rates, name) * getattr(full, name) for name in ("none", "anaphora", "and_", "but")}
    total = sum(kept.values()) + others
    for name, share in (("none", NONE), ("and_", AND), ("but", BUT)):
        assert kept[name] / total == pytest.approx(share, abs=0.002)
    assert 0 <= rates.anaphora <= 1
    if 0 < rates.anaphora < 1:  # free, so that the size is met
        assert total / (none + anaphora + and_ + but + others) == pytest.approx(KEPT, abs=0.003)


def test_anaphora_is_kept_whole_where_it_cannot_give_the_size():
    assert fit(Groups(none=7000, anaphora=800, and_=1200, but=400), 900).anaphora == 1
    assert fit(Groups(none=6000, anaphora=1000, and_=1400, but=500), 1700).anaphora < 1


def test_a_group_that_is_too_small_is_named():
    with pytest.raises(ValueError, match="group but are needed, but only 3 are available"):
        fit(Groups(none=6000, anaphora=1000, and_=1400, but=3), 1700)


def test_groups():
    rows = [("PAIR_NONE", ""), ("PAIR_ANAPHORA", ""), ("SINGLE_S_COORD", ", and"), ("PAIR_CONN", "but")]
    counts = count([*rows, ("SINGLE_S_COORD_ANAPHORA", ", but"), ("PAIR_CONN", "however ,"), ("SINGLE_RELATIVE", "")])
    assert groups_of(counts) == Groups(none=1, anaphora=1, and_=1, but=2) and counts["others"] == 2


def test_each_of_the_conventions_has_rates():
    for conventions in CONVENTIONS:
        rate, rates = DiscoFuseConfig(conventions=conventions).balanced_rate, balance.RATES[conventions]
        assert rate("PAIR_NONE", "") == rates.none < 0.1, conventions
        assert rate("PAIR_ANAPHORA", "") == rates.anaphora, conventions
        assert rate("SINGLE_VP_COORD", ", and") == rate("PAIR_CONN", "and") == rates.and_, conventions
        assert rate("SINGLE_S_COORD_ANAPHORA", ", but") == rates.but, conventions
        assert rate("PAIR_CONN", "however ,") == rate("SINGLE_RELATIVE", "") == 1, conventions
        whole = DiscoFuseConfig(conventions=conventions, balanced_rates={})
        assert whole.balanced_rate("PAIR_NONE", "") == 1, conventions


def test_what_is_not_a_dataset_gives_one_line(tmp_path, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["--dataset", str(tmp_path)])
    assert stop.value.code == 2 and str(tmp_path) in capsys.readouterr().err
