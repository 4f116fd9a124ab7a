"""Sentences of plain text: what ends one, what does not, and cases in which even people have to look twice."""

import re
import time

from hypothesis import given
from hypothesis import strategies as st

from gistmill.rules.text import segment
from gistmill.rules.text.segment import split_sentences

# Sentences by "|"; the text is the same with spaces instead.
ENDS = """\
The bill passed.|Nobody objected.
Is this it?|Yes!|No?!|Fine.
Yes, sir.|Bob came.|Did ten reps.|Ann left.|It was acme inc.|The firm grew.
Prices rose by $1.5 billion.|Wages did not.
It cost 5.50.|That was too much.
In 1998.|Nothing happened.
He left...|Then he came back.
They waited . . .|Nobody came.
They waited…|Nobody came.
The game ended 2-1.|2,000 fans came.
He paid £5.|$10 was too much.
“We won’t stop.”|“Never,” he added.
"He is dead."|"Who told you?"
He said "stop."|She ran.
He said 'stop.'|Then she ran.
It was said of time.|'It is an honour,' he said.
She said: "It is late.|We must go."
“It’s over,” he said.|“We lost.”|The room fell silent.
(He was late.)|She was not.
The show (on CBS.)|Another show.
Thousands fled.|(Reporting by John Smith; Editing by Jane Roe)
It was cold.[1]|It snowed.[2][3]
iPhone sales fell.|iPad sales rose.
"[T]he law is clear.|[i]t must stand."
The end of the road.|• A list begins.
Who, me?|Yes, you.
«Bien.»|¿Que pasa?|Nada.
The temperature was 5 °C.|It rained.
Er ist da.|Über uns.
Visit example.com.|It is free.
Version 2.0.1 was released.|Users liked it."""
GOES_ON = """\
Dr. Smith met Mrs. Jones and Lt. Col. J. R. Adams on Friday.
George W. Bush, John F. Kennedy and J.K. Rowling were there.
Gen. David Petraeus, Sen. John McCain and then-Rep. Nancy Pelosi met.
Salmon P. Chase and R. S. P. Beekes wrote it.
Robert F. "Bobby" Kennedy spoke.
It was prof. Smith, dr. Jones, gen. Lee and capt. Ames of acme corp. Boston.
The U.S. Senate voted on Jan. 5 at 10 a.m. Eastern Time.
Apple Inc. Chief Executive Tim Cook and Samsung Co. Ltd. Vice Chairman Lee met.
The suspect, 23, of Washington, D.C., was arrested.
A man from Tulsa, Okla. Gov. Mary Fallin's town, was seen.
The case, Roe v. Wade, was decided in 1973; Trump vs. Biden was not.
See Fig. 3, No. 5 and pp. 12-14 for details.
He is 6 ft. 2 in. tall.
According to Zhang et al. (2015), it is so.
It was known from c. AD 600 to c. 1100.
He loves cats, e.g. Persian cats, i.e. Felis.
"Are you coming?" she asked.
"I will not resign!" Trump said.
"Never!" Prime Minister Theresa May told them.
The film, "What Now?" opens Friday.
Yahoo! Inc. said it would buy the firm.
She was late (she always is.) and tired.
The plan (It was late. Nobody cared. Really.) failed.
He left... and never came back.
They asked for it [...] The rest is known.
... Only then did he speak.
3. Gather the seeds
a. Gather the seeds
iv. Gather the seeds
They are: 1. Lincoln; 2. Washington.
St. Louis beat Ft. Worth 4-2.
He used Node.js and read example.com/The.html today.
They sell pens, paper, etc. in the shop.
The year-end vs. Arsenal match was No. 1."""
EITHER = """\
He moved to the U.S. in 1990.|She stayed behind.
He lives in the U.S.|She lives in the U.K.|They meet often.
The U.N. Security Council met.|The E.U. did not.
He worked for Apple Inc.|It was 1999.
He was born in Washington, D.C.|He died in New York.
She got a Ph.D. in 2001.|He got an M.A. in 1999.
The meeting is at 3 p.m.|Everyone should attend.
Their address is 5 Main St.|The house is red.
It was Plan B.|Lemons have vitamin C.|Kaplan did it.
Malcolm X.|The book.
He met Francis I.|Between 2000 and 2013, it was lost.
The police said on Sept. 11.|Nobody was hurt on Sept.|Police said so.
They sell pens, paper, etc.|Then they went home.
He was No. 1.|Then he lost.
He said no.|Nobody asked again.
The highest is 2413 ft.|Alabama's land is flat.
He scored in the 90th min.|The crowd went wild.
He came from Tulsa, Okla.|The rest did not.
She is ill.|Police came.
E.g. this one.|I.e. that one.
We met in the U.S.|"It was fine," he said."""


def test_sentences():
    for line in (*ENDS.splitlines(), *GOES_ON.splitlines(), *EITHER.splitlines()):
        sentences = line.split("|")
        assert split_sentences(" ".join(sentences)) == sentences, line


def test_awkward_texts():
    for text, sentences in (
        ("", []),
        (" \n\t ", []),
        (".", ["."]),
        ("...", ["..."]),
        ("A headline without a mark", ["A headline without a mark"]),
        ("  One.\n\nTwo.\u00a0Three. ", ["One.", "Two.", "Three."]),
        # a space that was forgotten, but not in the name of a file or a site
        ("He went home.The others stayed.", ["He went home.", "The others stayed."]),
        ("He wrote Foo.The and a.The file.", ["He wrote Foo.", "The and a.The file."]),
        # white space before the mark, as tokenisers leave it
        ("He went . She stayed .", ["He went .", "She stayed ."]),
        ("`` He went . '' She stayed .", ["`` He went . ''", "She stayed ."]),
        # a bracket that nobody closes, or only far away, holds nothing together
        ("It (was late. Nobody cared.", ["It (was late.", "Nobody cared."]),
        (f"It (was late. {'Nobody cared. ' * 30})", ["It (was late.", *["Nobody cared."] * 29, "Nobody cared. )"]),
        ("No mark of a sentence — but a dash. — Reuters", ["No mark of a sentence — but a dash. — Reuters"]),
    ):
        assert split_sentences(text) == sentences, text


PIECES = st.sampled_from(
    [
        "He",
        "the",
        "U.S.",
        "Mr.",
        "p.m.",
        "e.g.",
        "J.",
        "No.",
        "5",
        "$3.20",
        "end.",
        "end!",
        'end?"',
        "(so",
        "so.)",
        "...",
        "…",
        "[1]",
        "“Oh",
        "Oh.”",
        "''",
        ".",
        "iPad",
        "—",
        "\n",
        "\u00a0",
        "end.The",
        "I.",
        "x.",
    ]
)


@given(st.lists(PIECES, max_size=30).map(" ".join) | st.text(max_size=60))
def test_nothing_is_lost_and_no_sentence_is_empty(text):
    sentences = split_sentences(text)
    assert re.sub(r"\s", "", "".join(sentences)) == re.sub(r"\s", "", text)
    assert all(s and s == s.strip() for s in sentences)


@given(st.lists(PIECES, max_size=30).map(" ".join))
def test_same_text_same_sentences(text):
    assert split_sentences(text) == split_sentences(f"  {text}\n")


def test_hostile_texts_take_linear_time():
    start = time.process_time()
    for text in (
        "." * 100_000,
        ". " * 50_000,
        "(a. B" * 20_000,
        "A! " * 30_000,
        '"' * 100_000,
        "[1]" * 30_000,
        "a.”" * 30_000,
        "J. " * 50_000,
        ". " * 50_000 + "x",
        ".[" + "1" * 100_000,
        "a.B" * 30_000,
    ):
        assert split_sentences(text)
    assert time.process_time() - start < 10  # a fifth of a second; hours when a pattern goes back over what it read


def test_the_word_lists_hold_no_full_stops_at_the_end():
    lists = [v for k, v in vars(segment).items() if k.isupper() and isinstance(v, frozenset)]
    assert lists and not [w for words in lists for w in words if w.endswith(".")]
