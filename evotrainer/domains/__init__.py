"""What is trained on. A domain is one folder: environment, grader, problems, demonstrations."""
