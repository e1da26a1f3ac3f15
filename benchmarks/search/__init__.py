"""All searches at equal budget on a fast landscape that is fitted to stored settings: campaigns in seconds."""
