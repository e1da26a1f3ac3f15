"""Simulated campaigns under the gates and under the rules that they are measured against."""
