"""Run as a program of its own: a Python input validator on many inputs, in one process.

    python3 validating.py VALIDATOR.py ARGUMENTS…    standard input: of each input its length in 32 bits, and its bytes

Standard output: for each input `1` if the validator ends with 42, else `0`. Python 3.9 and its standard library.
"""

import io
import struct
import sys

VALID = 42


def accepts(code, path, arguments, data):
    """Whether one input is valid."""
    sys.argv = [path, *arguments]
    sys.stdin = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", errors="surrogateescape")
    sys.stdout = io.TextIOWrapper(io.BytesIO())
    try:
        exec(code, {"__name__": "__main__", "__builtins__": __builtins__, "__file__": path})
    except SystemExit as error:
        return error.code == VALID
    except Exception:
        return False
    return False


def main():
    """Answer for all inputs."""
    given, said = sys.stdin.buffer, sys.stdout
    path, arguments = sys.argv[1], sys.argv[2:]
    with open(path, "rb") as file:
        code = compile(file.read(), path, "exec", dont_inherit=True)
    sys.stderr = io.StringIO()
    while True:
        length = given.read(4)
        if len(length) < 4:
            break
        said.write("01"[accepts(code, path, arguments, given.read(struct.unpack("<I", length)[0]))])
    said.flush()


if __name__ == "__main__":
    main()
