"""Learning dynamics: where play without foresight leads."""
