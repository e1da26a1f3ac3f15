"""Evidence made elsewhere: bodies of rollouts drawn by generators that share no code with the planted suite."""
