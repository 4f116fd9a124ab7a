"""The image of ``gistmill serve`` and its Kubernetes resources; README.md says how to use them."""
