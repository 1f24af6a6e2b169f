"""What of a package can only be checked when all of it has been read."""

import re
from dataclasses import dataclass

from harness.package.files import Files, below
from harness.package.findings import Findings
from harness.package.manifest import Manifest
from harness.package.model import Format, Package, ProblemType

JUDGES = frozenset({ProblemType.INTERACTIVE, ProblemType.MULTI_PASS})
_SLUG = re.compile(r"[a-z0-9]+")
_FOLDERS_OF_OTHERS = {
    "answer_validators": "",
    "answer_format_validators": "",
    "visualizers": "; programs that draw go to input_visualizer/ and output_visualizer/",
}


@dataclass(frozen=True, kw_only=True)
class Checks:
    """built: whether secret data must be there."""

    files: Files
    findings: Findings
    built: bool

    def check(self, package: Package, manifest: Manifest) -> None:
        """Note what does not fit together."""
        fault, warn = self.findings.fault, self.findings.warn
        if not _SLUG.fullmatch(package.slug):
            warn(package.root, f"the short name {package.slug!a} should be of a-z and 0-9 only")
        for kind in sorted(package.types & JUDGES):
            if package.output_validator is None:
                fault(
                    package.root / "output_validator",
                    f"type {kind} needs one: without it nobody answers or decides",
                )
        if package.static_validator is not None and ProblemType.SUBMIT_ANSWER in package.types:
            fault(
                package.root / "static_validator", "does not go with submit-answer: there is no source to look at"
            )
        self._validation(package, manifest)
        folders = {path.split("/")[0] for path in package.attachments if "/" in path} - {"templates"}
        for folder in sorted(folders) if package.format is Format.CURRENT else ():
            warn(package.root / "attachments" / folder, "no folder of this format: pack it as a zip")
        if not package.input_validators:
            warn(package.root / "input_validators", "no input validator that can be run: no input is checked")
        for folder, instead in _FOLDERS_OF_OTHERS.items():
            if below(self.files, folder):
                warn(package.root / folder, f"no part of this format: not run{instead}")
        if not any(package.secret.all_cases()) and self.built:
            warn(package.root / "data" / "secret", "no test case: a package needs at least one")

    def _validation(self, package: Package, manifest: Manifest) -> None:
        path = package.root / "problem.yaml"
        custom = manifest.validation[:1] == ("custom",)
        if manifest.validation and manifest.validation[0] not in ("custom", "default"):
            self.findings.fault(path, f"`validation: {manifest.validation[0]}` must be default or custom")
        if custom and package.output_validator is None:
            self.findings.fault(path, "`validation: custom`, but there is no output validator in the package")
        if manifest.validation and manifest.format is Format.CURRENT:
            self.findings.warn(path, "`validation` is a legacy key: say it with `type` and output_validator/")
