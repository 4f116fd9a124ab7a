"""The image of ``gistmill-train``, a Kubernetes job and a Vertex AI custom job; RUNBOOK.md says how to use them."""
