"""Slow on the sample alone: the other worker gets as far as e_echo.py meanwhile, which must not count."""

import time

line = input()
time.sleep(0.5 if line == "0" else 0)
print(line)
