"""The charts of the battery for reports and pages."""
