"""Check a cluster's address: anywhere with TLS, without TLS on this machine only."""

import ipaddress
from pathlib import Path
from urllib.parse import urlsplit

from harness.errors import UsageError
from harness.values import dataclass


@dataclass(frozen=True, kw_only=True)
class Certificates:
    """The TLS files: the authority, and this side's certificate with its key."""

    authority: Path
    certificate: Path
    key: Path


@dataclass(frozen=True, kw_only=True)
class Address:
    """A scheduler's address. certificates: None for plain TCP on this machine."""

    url: str
    certificates: Certificates | None


def parse_address(text: str, certificates: tuple[Path | None, Path | None, Path | None]) -> Address:
    """Parse an address. Raises UsageError for plain TCP to other machines, because Dask trusts any peer."""
    parts = urlsplit(text)
    try:
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise UsageError(f"--cluster {text}: {error}") from error
    if parts.scheme not in ("tcp", "tls") or not host or not port:
        raise UsageError(f"--cluster {text}: expected tls://HOST:PORT, or tcp://127.0.0.1:PORT")
    if parts.scheme == "tls":
        return Address(url=text, certificates=_certificates(certificates))
    if not _loopback(host):
        raise UsageError(
            f"--cluster {text}: plain tcp:// carries pickles that nobody has signed, so whoever reaches it "
            "runs code on all workers and here. Use tls:// with certificates; tcp:// is for 127.0.0.1 only"
        )
    return Address(url=text, certificates=None)


def _certificates(paths: tuple[Path | None, Path | None, Path | None]) -> Certificates:
    authority, certificate, key = paths
    if authority is None or certificate is None or key is None:
        raise UsageError("tls:// needs --tls-ca, --tls-cert and --tls-key")
    for path in (authority, certificate, key):
        if not path.is_file():
            raise UsageError(f"{path}: no such file")
    return Certificates(authority=authority, certificate=certificate, key=key)


def _loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
