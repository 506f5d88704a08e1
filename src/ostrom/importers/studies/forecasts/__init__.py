"""Forecasters and learned people fitted on published studies from the user's folder."""
