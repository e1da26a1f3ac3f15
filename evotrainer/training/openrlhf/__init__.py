"""Training by OpenRLHF 0.11.2: its command line, its agent function, its job, and what comes back as evidence.

options.py      the map, a table in options.yaml: each key, its flags, what is refused, what differs
inputs.py       one run's command line, and the files that a job reads
agent.py        what OpenRLHF calls for an episode; runs in its environment, beside each vLLM engine
worker.py       plays and grades those episodes; runs in ours, a child of agent.py
job.py          OpenRLHF's own environment; starts, watches and stops the job; its checkpoints, as a policy
evidence.py     episodes and TensorBoard files to rows and signals
fit.py          all of it in order
"""
