"""The files of DOMjudge beside problem.yaml: `.timelimit` and `domjudge-problem.ini`."""

import re
from collections.abc import Mapping
from dataclasses import replace

from harness.package.files import MANIFESTS, TIME_LIMIT_FILE, File, Files
from harness.package.findings import Findings
from harness.package.formats.manifest import MOST_S, Manifest
from harness.package.yaml_lines import decimal

_, INI = MANIFESTS
_LARGEST_FILE = 1 << 16
_LINE = re.compile(r"[ \t]*([a-z_-]{1,30})[ \t]*=[ \t]*(.*?)[ \t]*\r?")
_WITH_WORD = re.compile(r"(?:time_?limit[ \t]*[:=][ \t]*)?([0-9.]{1,20})[ \t]*(?:s|sec|seconds)?", re.IGNORECASE)
_CLOSE = 1e-9


def with_domjudge(manifest: Manifest, files: Files, findings: Findings) -> Manifest:
    """Return `manifest` with the time limit of these files, and their name if it has none."""
    ini = _read_ini(files.get(INI))
    given = [
        (files[name], text)
        for name, text in ((TIME_LIMIT_FILE, _text(files.get(TIME_LIMIT_FILE))), (INI, ini.get("timelimit")))
        if text is not None
    ]
    limit = manifest.limits.time_limit_s
    for file, text in given:
        seconds = _seconds(text.strip(), file, findings)
        if seconds is None:
            findings.fault(
                file.origin,
                f"the time limit {text.strip()[:40]!r} is no number of seconds from 0.001 to {MOST_S:,}",
            )
        elif limit is None:
            limit = seconds
        elif abs(limit - seconds) > _CLOSE:
            findings.warn(file.origin, f"says {seconds:g} s, but the limit is {limit:g} s by what comes before it")
    names = manifest.names or ({"en": ini["name"]} if ini.get("name") else {})
    return replace(manifest, names=names, limits=replace(manifest.limits, time_limit_s=limit))


def _seconds(text: str, file: File, findings: Findings) -> float | None:
    """Return the number of seconds; a number with a word (`2s`, `time_limit: 2`) is read, as other tools do."""
    seconds = decimal(text)
    if seconds is None and (number := _WITH_WORD.fullmatch(text)) is not None:
        seconds = decimal(number[1])
        findings.warn(
            file.origin, f"the time limit {text[:40]!r} is read as {number[1]} s: write the number alone"
        )
    return seconds if seconds is not None and 0.001 <= seconds <= MOST_S else None


def _read_ini(file: File | None) -> Mapping[str, str]:
    text = _text(file)
    lines = (_LINE.fullmatch(line) for line in (text or "").splitlines())
    return {line[1]: _value(line[2]) for line in lines if line is not None}


def _value(text: str) -> str:
    """Return a value of an ini file: the text in quotes, or the text up to a comment."""
    if text[:1] in ("'", '"'):
        return text[1:].partition(text[0])[0]
    return text.partition(";")[0].rstrip()


def _text(file: File | None) -> str | None:
    if file is None or file.size() > _LARGEST_FILE:
        return None
    return file.read().decode("utf-8-sig", errors="replace")
