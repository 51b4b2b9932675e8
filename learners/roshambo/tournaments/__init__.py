"""Agents against populations: entrants, records of matches, scores, and tables of payoffs."""
