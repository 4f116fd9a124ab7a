"""The papers whose recipes make datasets, as BibTeX; ``CITATION.cff`` lists the same ones."""

from __future__ import annotations

from typing import NamedTuple


class Paper(NamedTuple):
    """A paper: ``key`` is that of its entry, ``authors`` are as BibTeX has them, ``arxiv`` is its number there."""

    key: str
    title: str
    authors: str
    venue: str
    year: int
    arxiv: str

    def bibtex(self) -> str:
        """Returns the entry."""
        return (
            f"@inproceedings{{{self.key},\n"
            f"  title = {{{{{self.title}}}}},\n"
            f"  author = {{{self.authors}}},\n"
            f"  booktitle = {{{self.venue}}},\n"
            f"  year = {{{self.year}}},\n"
            f"  url = {{https://arxiv.org/abs/{self.arxiv}}}\n"
            "}"
        )


# By the name of the recipe.
PAPERS = {
    "discofuse": Paper(
        "geva2019discofuse",
        "DiscoFuse: A Large-Scale Dataset for Discourse-Based Sentence Fusion",
        "Geva, Mor and Malmi, Eric and Szpektor, Idan and Berant, Jonathan",
        "NAACL",
        2019,
        "1902.10526",
    ),
    "lead-bias": Paper(
        "zhu2021leveraging",
        "Leveraging Lead Bias for Zero-shot Abstractive News Summarization",
        "Zhu, Chenguang and Yang, Ziyi and Gmyr, Robert and Zeng, Michael and Huang, Xuedong",
        "SIGIR",
        2021,
        "1912.11602",
    ),
    "wikitransfer": Paper(
        "fabbri2021improving",
        "Improving Zero and Few-Shot Abstractive Summarization with Intermediate Fine-tuning and Data Augmentation",
        "Fabbri, Alexander R. and Han, Simeng and Li, Haoyuan and Li, Haoran and Ghazvininejad, Marjan and "
        "Joty, Shafiq and Radev, Dragomir and Mehdad, Yashar",
        "NAACL",
        2021,
        "2010.12836",
    ),
    "gap-sentences": Paper(
        "zhang2020pegasus",
        "PEGASUS: Pre-training with Extracted Gap-sentences for Abstractive Summarization",
        "Zhang, Jingqing and Zhao, Yao and Saleh, Mohammad and Liu, Peter J.",
        "ICML",
        2020,
        "1912.08777",
    ),
    "headline": Paper(
        "rush2015neural",
        "A Neural Attention Model for Abstractive Sentence Summarization",
        "Rush, Alexander M. and Chopra, Sumit and Weston, Jason",
        "EMNLP",
        2015,
        "1509.00685",
    ),
    "synthetic": Paper(
        "krishna2021does",
        "Does Pretraining for Summarization Require Knowledge Transfer?",
        "Krishna, Kundan and Bigham, Jeffrey and Lipton, Zachary C.",
        "Findings of EMNLP",
        2021,
        "2109.04953",
    ),
}


def citation(recipe: str, version: str) -> str:
    """Returns what to cite for a dataset, as BibTeX: the paper of its recipe where there is one, and Gistmill.

    Args:
        recipe: name of the job.
        version: of gistmill.
    """
    gistmill = (
        "@software{gistmill,\n"
        "  title = {Gistmill},\n"
        "  author = {{The Gistmill developers}},\n"
        f"  version = {{{version}}},\n"
        f"  note = {{gistmill {recipe}}}\n"
        "}"
    )
    paper = PAPERS.get(recipe)
    return "\n\n".join([*([paper.bibtex()] if paper else []), gistmill])
