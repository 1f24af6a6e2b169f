"""Packages for other judges: one self-contained zip, and a list of what it cannot say."""

from harness.export.archive import Parcel, write_zip
from harness.export.formats import Target, export

__all__ = ["Parcel", "Target", "export", "write_zip"]
