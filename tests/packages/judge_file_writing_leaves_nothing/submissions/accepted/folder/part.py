NAME = "as it was handed in"
