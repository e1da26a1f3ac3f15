"""The learning algorithm as pure arithmetic: rewards, advantages, filters, credit, curriculum, losses."""
