"""Diagnostics of the training signal: rewards, advantages, filters and optimiser steps, for every domain."""
