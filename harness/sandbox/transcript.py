"""Record what two programs write to each other, and when.

A game is recorded only in a replay for display, because recording slows it down.
"""

import enum
import os
import select
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import field

from harness.sandbox.streams import unread_bytes
from harness.values import dataclass

MOST_BYTES = 1 << 20  # most bytes to record; the rest is passed on unrecorded
LINE_BYTES = 1 << 12
_CHUNK_BYTES = 1 << 16
_JOIN_S = 2.0


class Speaker(enum.StrEnum):
    """A side of a game."""

    INTERACTOR = "interactor"
    SUBMISSION = "submission"


@dataclass(frozen=True, kw_only=True)
class TranscriptLine:
    """A line without its newline, written `at_s` seconds after the start. whole: the newline was written, too."""

    speaker: Speaker
    at_s: float
    text: bytes
    whole: bool = True


@dataclass(frozen=True, kw_only=True)
class Transcript:
    """The recorded lines of a game. cut: more was written than recorded."""

    lines: tuple[TranscriptLine, ...] = ()
    cut: bool = False


@dataclass(frozen=True, kw_only=True)
class Chunk:
    """Bytes from one read of a pipe."""

    speaker: Speaker
    at_s: float
    data: bytes


def transcript_of(chunks: Iterable[Chunk], *, cut: bool = False) -> Transcript:
    """Join chunks to lines, in the order in which the lines were completed."""
    lines: list[TranscriptLine] = []
    pending: dict[Speaker, Chunk] = {}
    for chunk in chunks:
        before = pending.pop(chunk.speaker, None)
        *whole, rest = ((before.data if before else b"") + chunk.data).split(b"\n")
        lines += [_line(chunk, text, whole=True) for text in whole]
        if rest:
            # Cap the copy: byte-wise writers would make this quadratic.
            pending[chunk.speaker] = Chunk(speaker=chunk.speaker, at_s=chunk.at_s, data=rest[:LINE_BYTES])
    lines += [_line(rest, rest.data, whole=False) for rest in pending.values()]
    return Transcript(lines=tuple(lines), cut=cut)


def _line(chunk: Chunk, text: bytes, *, whole: bool) -> TranscriptLine:
    return TranscriptLine(speaker=chunk.speaker, at_s=chunk.at_s, text=text[:LINE_BYTES], whole=whole)


@dataclass(kw_only=True)
class _Relay:
    """Copies from the pipe `source` to the pipe `target`; the tap gets a copy."""

    speaker: Speaker
    source: int
    target: int
    moving: bool = False


@dataclass(kw_only=True)
class Tap:
    """Records a game. Its `pipe` is like os.pipe, but records what passes."""

    _chunks: list[Chunk] = field(default_factory=list, init=False)
    _bytes: int = field(default=0, init=False)
    _start_s: float = field(default_factory=time.monotonic, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)
    _relays: list[_Relay] = field(default_factory=list, init=False)
    _threads: list[threading.Thread] = field(default_factory=list, init=False)
    _stop: tuple[int, int] | None = field(default=None, init=False)

    def pipe(self, speaker: Speaker) -> tuple[int, int]:
        """Return (read end, write end), which the caller closes. What `speaker` writes is recorded and passed on."""
        if self._stop is None:
            self._stop = os.pipe()
        source, write_end = os.pipe()
        read_end, target = os.pipe()
        os.set_blocking(target, False)
        relay = _Relay(speaker=speaker, source=source, target=target)
        thread = threading.Thread(target=self._pass_on, args=(relay, self._stop[0]), daemon=True)
        self._relays.append(relay)
        self._threads.append(thread)
        thread.start()
        return read_end, write_end

    @property
    def quiet(self) -> bool:
        """Return whether the tap holds no byte. Check this before the far ends of the pipes."""
        return not any(unread_bytes(relay.source) or relay.moving for relay in self._relays)

    def transcript(self) -> Transcript:
        """Return what was recorded. Call it when the game is over."""
        self._end()
        with self._lock:
            return transcript_of(self._chunks, cut=self._bytes > MOST_BYTES)

    def _end(self) -> None:
        """Record what was written before the end of the game, then stop the threads."""
        for thread in self._threads:
            thread.join(_JOIN_S)  # both sides have ended, so the ends of file come at once
        if self._stop is not None:
            os.close(self._stop[1])
            for thread in self._threads:
                thread.join()
            for descriptor in (self._stop[0], *(relay.source for relay in self._relays)):
                os.close(descriptor)
        self._threads, self._relays, self._stop = [], [], None

    def _pass_on(self, relay: _Relay, stop: int) -> None:
        try:
            for data in _read_until(relay, stop):
                self._record(relay.speaker, data)
                _write_all(relay.target, data, stop)
                relay.moving = False
        finally:
            os.close(relay.target)  # so the end of file is passed on as well
            relay.moving = False

    def _record(self, speaker: Speaker, data: bytes) -> None:
        with self._lock:
            room = max(MOST_BYTES - self._bytes, 0)
            self._bytes += len(data)
            if room:
                at_s = time.monotonic() - self._start_s
                self._chunks.append(Chunk(speaker=speaker, at_s=at_s, data=data[:room]))


def _read_until(relay: _Relay, stop: int) -> Iterator[bytes]:
    poll = select.poll()
    poll.register(relay.source, select.POLLIN)
    poll.register(stop, select.POLLIN)
    while True:
        ready = {descriptor for descriptor, _ in poll.poll()}
        if relay.source not in ready:
            return
        relay.moving = True  # before the pipe is emptied, so that `quiet` never misses these bytes
        data = os.read(relay.source, _CHUNK_BYTES)
        if not data:
            return
        yield data


def _write_all(target: int, data: bytes, stop: int) -> None:
    poll = select.poll()
    poll.register(target, select.POLLOUT)
    poll.register(stop, select.POLLIN)
    while data:
        if stop in {descriptor for descriptor, _ in poll.poll()}:
            return
        try:
            data = data[os.write(target, data) :]
        except BlockingIOError:
            continue
        except BrokenPipeError:
            return  # the reader has gone; the writer is recorded all the same
