"""Appraisal: what learned behavior is worth, proved if possible, else estimated and so named."""
