"""The counts once more, written apart from the rules: by lists, one occurrence after the other."""

import re
import unicodedata
from functools import cache

from lemminflect import getAllLemmas

from gistmill.rules.curriculum.scores import Counts


def cleaned(text, stop_words):
    """Words token by token, and character by character within it."""
    words = []
    for token in re.split(r"\s|--|\.\.\.|[–—―…]|['’](?=[sS]\b)", text):
        word = "".join(c for c in token if unicodedata.category(c)[0] not in ("P", "S")).lower()
        if word and word not in stop_words:
            words.append(word)
    return words


@cache
def lemma(word):
    for upos in ("VERB", "NOUN", "ADJ", "ADV", "AUX"):
        if found := getAllLemmas(word, upos=upos):
            return found[upos][0]
    return word


def without(words, others):
    """What is left of a list when each of the others takes one equal item away."""
    left = list(words)
    for other in others:
        if other in left:
            left.remove(other)
    return left


def trigrams(words):
    return [words[i : i + 3] for i in range(len(words) - 2)]


def multiset(text, summary):
    deleted, added = without(text, summary), without(summary, text)
    lemmas_deleted, lemmas_added = [lemma(w) for w in deleted], [lemma(w) for w in added]
    substitutions = len(lemmas_added) - len(without(lemmas_added, lemmas_deleted))
    return Counts(
        deletions=len(deleted) - substitutions,
        additions=len(added) - substitutions,
        reorderings=len(without(trigrams(summary), trigrams(text))),
        substitutions=substitutions,
    )


def printed(text, summary):
    """Algorithms 1 to 4, line by line; names as they print them."""
    del_num, del_words = 0, []
    for word in text:
        count_t, count_s = text.count(word), summary.count(word)
        count_d = count_t - min(count_t, count_s)
        del_num += count_d
        del_words += [word] * count_d
    add_num, add_words = 0, []
    for word in text:
        count_t, count_s = text.count(word), summary.count(word)
        count_a = count_s - min(count_s, count_t)
        add_num += count_a
        add_words += [word] * count_a
    t_d = [w for i, w in enumerate(text) if text[:i].count(w) < summary.count(w)]
    s_a = [w for i, w in enumerate(summary) if summary[:i].count(w) < text.count(w)]
    reo_num = 0
    for threegram in trigrams(s_a):
        count_t, count_s = trigrams(t_d).count(threegram), trigrams(s_a).count(threegram)
        reo_num += count_s - min(count_s, count_t)
    lem_deletions, lem_additions = set(), set()
    for word in del_words:
        lem_deletions = {lemma(word)}
    for word in add_words:
        lem_additions = {lemma(word)}
    sub_num = len(lem_deletions & lem_additions)
    return Counts(deletions=del_num - sub_num, additions=add_num - sub_num, reorderings=reo_num, substitutions=sub_num)
