"""Packages for other judges: one self-contained zip, and a list of what it cannot say."""

from harness.export.formats import Target, export
from harness.export.parcel import Parcel, write_zip

__all__ = ["Parcel", "Target", "export", "write_zip"]
