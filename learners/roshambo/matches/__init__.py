"""Bots and matches: what a bot is, who plays whom, and matches in processes of their own."""
