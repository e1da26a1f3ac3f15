"""Levers: what a learned diagnostic may change, beside what it may say.

audit.py              true correctness of a sample of the incumbent's rollout, by a stronger verifier
row_features.py       numbers of one attempt, in every domain; the same text runs in the sandbox
feature_selection.py  the features of many attempts, and which tell attempts at one problem apart, on problems held out
correction.py         what the owner's reward pays beyond true correctness, with the guards of a fit, as a text and back
ablation.py           whether a version lives on access that the base policy does not need
"""
