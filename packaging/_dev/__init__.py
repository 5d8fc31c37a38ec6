"""The parts of dev.py: commands, the environment, system packages, the test stages and the lock files."""
