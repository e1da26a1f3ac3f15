"""One local page over rollouts of any trainer, or over a campaign: rows and filters, what is shown now, the server."""
