import os, sys
# Works among the files of the submission, and with nothing of its own.
sys.exit(42 if "echo.py" in os.listdir(".") and "check.py" not in os.listdir(".") else 43)
