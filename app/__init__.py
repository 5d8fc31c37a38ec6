"""Sentra Rental Counter: booking, settlement and expiry for rental branches."""

__version__ = "0.1.0"
