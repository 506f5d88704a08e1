"""Language models that run in this process: where their weights are, and the engines that run them."""
