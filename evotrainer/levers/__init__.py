"""Levers: what a learned diagnostic may change, beside what it may say.

audit.py          true correctness of a sample of the incumbent's rollout, by a stronger verifier
row_features.py   numbers of one attempt, in every domain; the same text runs in the sandbox
table.py          the features of many attempts, with the cuts and the support that a search may use
contrast.py       which features tell attempts at one problem apart, and by how much on problems held out
correction.py     what the owner's reward pays beyond true correctness, with the guards of a fit
correction_file.py  a fit as the text of reward.correction, and back
ablation.py       whether a version lives on access that the base policy does not need
"""
