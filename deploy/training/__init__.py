"""The ``gistmill-train`` image, a Kubernetes job and a Vertex AI custom job; see RUNBOOK.md for usage."""
