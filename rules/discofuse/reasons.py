"""The reasons of the DiscoFuse recipe."""

from __future__ import annotations

from gistmill.core.verdict import Reason


class DiscoFuseReason(Reason):
    """Why the DiscoFuse recipe rejects a sentence, a pair, a candidate or a document."""

    NO_EXAMPLES = "no sentence or pair of the document gave an example"
    TOO_SHORT = "too few tokens"
    RUN_ON = "far more tokens than a sentence has, so that it is not a sentence: the text lacks full stops"
    TOO_LONG = "too many tokens before the place of the split, where parsers err most"
    NON_ASCII = "characters outside ASCII"
    SPACED_TOKEN = "a token has a space in it, so that the tokens joined by spaces could not be told apart"
    NO_PHENOMENON = "no discourse phenomenon was found"
    NO_VERB = "one of the two sentences has no finite main verb"
    NO_SUBJECT = "one of the two sentences has no subject"
    NO_END = "a sentence has no final punctuation"
    UNBALANCED = "quotes, brackets or dashes are not balanced within each sentence"
    RESIDUE = "left-over punctuation or markup"
    DANGLING = "a sentence ends in a word that needs something after it"
    VERB_FORM = "an auxiliary and its verb do not fit together"
    QUESTION = "a question is not split: its mark would go with the wrong sentence"
    NOT_ASSERTED = "a part under a report, a purpose or an alternative, which the text does not say to be true"
    WRONG_SCOPE = "the part to split off belongs to a subordinate clause"
    CLAUSE_CUT = "the closing comma does not close the clause or phrase"
    CLAUSAL_ANTECEDENT = "the relative pronoun or apposition refers to no noun phrase"
    AMBIGUOUS = "more than one noun may be meant"
    DANGLING_PARTICIPLE = "the participle phrase is not about the main clause's subject"
    SHARED_PART = "an object, auxiliary or negation is shared and cannot be copied"
    INVERSION = "the second clause has its verb before its subject"
    LIST = "the phrase between the commas is an item of a list"
    UNCERTAIN_COREFERENCE = "the coreference link is below the confidence that a replacement needs"
    NUMBER = "the replacement does not agree in number with the verb or pronoun"
    UNRESOLVED_ANAPHOR = "the second sentence refers back to the first, and what to is not sure"
    REPEATED_ANTECEDENT = "the replacement repeats a name that the sentence already has"
