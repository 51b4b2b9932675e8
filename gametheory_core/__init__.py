"""Formal games, verified conversions and certificates. Everything here runs on numpy alone."""
