"""Mediated games: agents and mediator that answer each other, and simpler ways to pick leaders."""
