"""Statements and what problem.yaml says of a problem, in the exports for other judges."""

import shutil
from pathlib import Path

import pytest
import yaml

from conftest import TESTS, PackageMaker
from harness.export.archive import write_zip
from harness.export.targets import Target, export
from harness.package.archive import opened
from harness.package.load import load


@pytest.mark.parametrize(
    ("target", "path"),
    [
        (Target.LEGACY, "problem_statement/problem.en.tex"),
        (Target.POLYGON, "statement-sections/english/legend.tex"),
    ],
)
def test_pictures_of_markdown_are_shown_in_latex(double_with: PackageMaker, target: Target, path: str) -> None:
    text = (
        "![A ring](ring.png){width=50%}\n\nIn ![it](b.svg) <img src='ring.png' width='40'> ![c](c.svg).\n\n"
        "<center>\n\n| l | c | r |\n|---|:-:|--:|\n| 1 | 2 | 3 |\n\n</center>\n"
    )
    files: dict[str, str | bytes | None] = {
        f"statement/{name}": b"x" for name in ("ring.png", "b.svg", "b.pdf", "c.svg")
    }
    exported = export(load(double_with({"statement/problem.en.md": text, **files})), target)
    made = exported.read(path).decode()
    assert "\\begin{center}\n\\includegraphics[width=0.5\\textwidth]{ring.png}\n\\end{center}\n" in made
    assert "In \\includegraphics{b.pdf} \\includegraphics[width=30pt]{ring.png} \\emph{[c]}." in made
    assert "\\begin{tabular}{|l|c|r|}" in made and "center>" not in made
    assert "the picture `c.svg`, which is only named: put it beside as PDF or PNG, too" in exported.losses


def test_a_title_is_escaped_in_the_latex_of_every_export(double_with: PackageMaker, tmp_path: Path) -> None:
    root = double_with(None)
    manifest = root / "problem.yaml"
    manifest.write_text(manifest.read_text().replace("name: Double", "name: 'R&D 100% #1 A_B'"))
    exported, title = export(load(root), Target.POLYGON), "R\\&D 100\\% \\#1 A\\_B"
    assert exported.read("statement-sections/english/name.tex").decode() == title
    assert exported.read("statements/english/problem.tex").decode().startswith(f"\\begin{{problem}}{{{title}}}{{")
    assert b'value="R&amp;D 100% #1 A_B"' in exported.read("problem.xml")
    exported.contents["statement-sections/english/name.tex"] = b"R&D 100\\% #1 A_B"  # as some write it in Polygon
    write_zip(exported, tmp_path / "polygon.zip")
    with opened(tmp_path / "polygon.zip") as folder:
        text = export(load(folder), Target.LEGACY).read("problem_statement/problem.en.tex").decode()
    assert text.startswith(f"\\problemname{{{title}}}\n")


@pytest.mark.parametrize("name", ["{en: Two, de: Zwei}", "\n  en: Two # the name\n  de: Zwei"])
def test_the_legacy_format_has_one_name_and_a_short_name_of_letters_and_digits(name: str, tmp_path: Path) -> None:
    root = shutil.copytree(TESTS / "packages/judge_legacy_min", tmp_path / "a-b")
    (root / "problem.yaml").write_text(f"name: {name}\ntype: scoring\n")
    exported = export(load(root), Target.LEGACY)
    assert exported.read("problem.yaml") == b"name: Two\ntype: scoring\n"
    assert list(exported.losses) == [
        "names in several languages: problem.yaml has one there",
        "the short name `a-b`: Kattis takes a-z and 0-9 only, so name the folder in the zip so",
    ]


@pytest.mark.parametrize("target", [Target.DOMJUDGE, Target.LEGACY])
def test_who_made_a_problem_stays_in_older_formats(double_with: PackageMaker, target: Target) -> None:
    root = double_with(None)
    text = (
        "problem_format_version: 2025-09\nname: Double\nuuid: 1f5f7c1e-6f0c-4a3e-9a54-0b7c1d2e3f40\n"
        "credits:\n  authors: [Ann, Ben]\n  testers: Cy\nsource: {name: Cup, url: https://cup.example}\n"
        "license: cc by-sa\nrights_owner: The Cup\nconstants: {max_n: 1000000}\n"
    )
    (root / "problem.yaml").write_text(text)
    exported = export(load(root), target)
    values = yaml.safe_load(exported.read("problem.yaml"))
    assert {
        "author": "Ann, Ben",
        "source": "Cup",
        "license": "cc by-sa",
        "rights_owner": "The Cup",
    }.items() <= values.items()
    assert "credits of others than the authors: contributors, testers, translators" in exported.losses
    assert "authors, source and license" in export(load(root), Target.POLYGON).losses
