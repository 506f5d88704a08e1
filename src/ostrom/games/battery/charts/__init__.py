"""The charts of the battery: leaderboards, cards of subjects, and the report that holds them."""
