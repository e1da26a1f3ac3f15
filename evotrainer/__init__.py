"""The nouns of EvoTrainer: records, evidence, lineage, statistics, policies, environments.

Read records/ first: it is the vocabulary. Nothing here knows Prefect, Hydra or DVC, and torch is imported
only inside engines/, so that the evidence side starts fast.
"""

import os

# Matrices are small here: threads that wait for the next one cost more than they bring, and how many there are would
# change the last bits of a sum. It has to be said before numpy is loaded; whoever has set it is not overruled.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# torch's threads wait for each other in a loop that takes the core from whoever they wait for: beside other work two of
# them were 7 to 13 times as slow as with a short loop. It has to be said before torch is loaded.
os.environ.setdefault("GOMP_SPINCOUNT", "2000")
