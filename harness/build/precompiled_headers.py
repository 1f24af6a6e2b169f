"""`<bits/stdc++.h>` precompiled: reading it is most of what a small C++ program takes to compile.

GCC uses a precompiled header only if the source begins with it and compiler and flags are the same, and reads the
header itself otherwise ("Using Precompiled Headers"); the binary is the same, byte for byte.
The header is compiled in the sandbox, from the compiler's own files alone. That takes as long as three programs save
(GCC 12: 7.2 to 8.5 s, 2.4 to 3.1 s each), and it is some 120 MB large. So it is made for the fourth program that
includes it, and only the last few are kept.
"""

import os
import re
import shutil
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from harness.build.judge_flags import is_gcc
from harness.build.stage import Stage
from harness.build.toolchains import Toolchain
from harness.errors import MachineError
from harness.files import atomic, untrusted
from harness.package import Program
from harness.store.identity import digest_of_texts, tool_identity

KEPT = 3
FIRST = 4  # the number of the first program that gets it
INCLUDED = Path("bits/stdc++.h")
_COMPILED = "header.gch"
_ASKED, _FAILED = "asked", "failed"  # the first holds a byte for each program that began with the header
_LINKING = ("-Wl,", "-l")
_HEAD_BYTES = 1 << 16
# Possessive quantifiers: untrusted comments must not cause backtracking.
_FIRST = re.compile(rb"(?:\s++|//[^\n]*+\n|/\*(?>.*?\*/))*+#[ \t]*+include[ \t]*+<bits/stdc\+\+\.h>", re.DOTALL)
Compile = Callable[[Path, Sequence[str]], bool]


class Headers:
    """The precompiled headers of one cache; safe to share between workers."""

    def __init__(self, folder: Path, stage: Stage) -> None:
        self._folder = folder
        self._stage = stage
        self._staged: dict[str, Path] = {}
        self._making = threading.Lock()

    def folder_for(self, program: Program, toolchain: Toolchain, compile_it: Compile) -> Path | None:
        """Return the folder to search first for headers; None if they would not help.

        compile_it: runs the compiler in a folder with these arguments; returns whether it succeeded, raises
        MachineError if it was stopped.
        """
        compiler = toolchain.paths.get("cxx")
        if compiler is None or not is_gcc(compiler):
            return None
        if not any(_FIRST.match(file.read()[:_HEAD_BYTES]) for file in program.files.values()):
            return None
        flags = [flag for flag in toolchain.language.flags if not flag.startswith(_LINKING)]
        key = digest_of_texts(tool_identity(compiler), *flags)
        if key in self._staged:
            return self._staged[key]
        if not self._making.acquire(blocking=False):  # another worker is making it: compile without it
            return None
        try:
            if key not in self._staged and self._is_there(key, toolchain, compile_it):
                self._staged[key] = self._staged_copy(key)
            return self._staged.get(key)
        except (OSError, MachineError):  # for example no space: compile without it
            return None
        finally:
            self._making.release()

    def _is_there(self, key: str, toolchain: Toolchain, compile_it: Compile) -> bool:
        home = self._folder / key
        if (home / _COMPILED).exists():
            os.utime(home)
            return True
        if (home / _FAILED).exists():
            return False
        home.mkdir(parents=True, exist_ok=True)
        with (home / _ASKED).open("ab") as file:
            file.write(b".")
            if file.tell() < FIRST:
                return False
        return self._make(home, toolchain, compile_it)

    def _make(self, home: Path, toolchain: Toolchain, compile_it: Compile) -> bool:
        folder = self._stage.folder("build")
        (folder / "all.h").write_bytes(b"#include <bits/stdc++.h>\n")
        flags = (str(toolchain.paths["cxx"]), *toolchain.language.flags)
        try:
            if not compile_it(folder, (*flags, "-x", "c++-header", "-o", _COMPILED, "all.h")):
                (home / _FAILED).touch()
                return False
            (folder / _COMPILED).chmod(0o644)
            atomic.copy(folder / _COMPILED, home / _COMPILED)
        finally:
            untrusted.remove(folder)
        self._bound()
        return True

    def _staged_copy(self, key: str) -> Path:
        """Copy the header to where the sandbox's user can read it: the cache may lie in a private home."""
        folder = self._stage.folder("headers")
        target = folder / INCLUDED.with_name(f"{INCLUDED.name}.gch")
        target.parent.mkdir()
        source = self._folder / key / _COMPILED
        try:
            os.link(source, target)
        except OSError:  # another file system
            shutil.copyfile(source, target)
        target.chmod(0o644)
        return folder

    def _bound(self) -> None:
        homes = sorted(
            (path for path in self._folder.iterdir() if (path / _COMPILED).exists()),
            key=lambda path: path.stat().st_mtime,
        )
        for home in homes[:-KEPT]:
            untrusted.remove(home)
