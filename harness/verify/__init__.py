"""Everything that a careful setter would check before others see the package."""

from harness.verify.findings import Finding, Level, PartResult, Verification, verification_as_json
from harness.verify.run import PARTS, Observer, Verifier

__all__ = [
    "PARTS",
    "Finding",
    "Level",
    "Observer",
    "PartResult",
    "Verification",
    "Verifier",
    "verification_as_json",
]
