"""Mediated games: a mediator picks who leads each step, and shares what leading earns."""
