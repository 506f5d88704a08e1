"""Language models that run in this process: how their weights are found, and the engines that run them."""
