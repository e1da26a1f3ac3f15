"""What an agent function of OpenRLHF 0.11.2 must be."""


class AgentExecutorBase:
    pass
