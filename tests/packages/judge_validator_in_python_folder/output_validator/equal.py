import sys


def equal(answer):
    return open(answer).read() == sys.stdin.read()
