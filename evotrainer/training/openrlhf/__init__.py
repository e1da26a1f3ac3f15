"""Training by OpenRLHF 0.11.2: its command line, its agent function, its job, and what comes back as evidence.

options.py      the map: each key, its flags, what is refused, what differs
command.py      one run's command line
environment.py  whether OpenRLHF's own environment is there
prompts.py      the files that a job reads
agent.py        what OpenRLHF calls for an episode; runs in its environment, beside each vLLM engine
worker.py       plays and grades those episodes; runs in ours, a child of agent.py
job.py          starts, watches and stops the job; keeper.py ends it when its owner is gone
events.py       reads TensorBoard files
harvest.py      episodes and signals to evidence
checkpoints.py  checkpoints to a policy
fit.py          all of it in order
"""
