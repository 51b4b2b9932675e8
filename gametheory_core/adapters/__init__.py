"""Adapters: games to and from other libraries' environments and graphs; extra ``interop``."""
