"""Online play without regret: many independent decision makers at once, whatever they face."""
