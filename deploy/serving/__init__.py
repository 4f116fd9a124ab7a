"""The ``gistmill serve`` image and its Kubernetes resources; see README.md for usage."""
