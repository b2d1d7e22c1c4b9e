"""Pages of workloads and mixes."""
