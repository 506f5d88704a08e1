"""The measures of Contribute & Punish."""
