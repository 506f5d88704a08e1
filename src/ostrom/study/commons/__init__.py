"""The Commons in tables and figures: what its seats give, hold, spend on lobbying, and whom they vote out."""
