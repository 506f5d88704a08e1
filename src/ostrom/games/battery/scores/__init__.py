"""Scores of a subject's answers: values with their intervals, or the reasons why they are missing."""
