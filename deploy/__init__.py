"""Deployment of Gistmill on clusters: container images, Flink, Dataflow."""
