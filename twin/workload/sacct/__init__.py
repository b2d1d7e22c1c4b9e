"""Slurm's accounting export: its lines, its fields, and which records are one job."""
