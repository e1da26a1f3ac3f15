"""What comes next: the folders of the next generation's versions, frozen before any of their stages run."""
