"""What is trained and scored; rules and arithmetic beside this folder read it, and may change while it stands."""
