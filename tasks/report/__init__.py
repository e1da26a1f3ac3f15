"""The campaign's report: tables, score trajectory and one HTML page."""
