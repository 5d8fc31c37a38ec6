"""Private PostgreSQL, Redis and service for one machine: one supervisor per data folder, which the counters join."""
