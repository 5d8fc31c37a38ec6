"""Numbered migrations of schema sentra; the statements live in sql/, with role names as placeholders."""
