"""Names that old packages write in TeX."""

import pytest

from harness.package.tex_accents import plain_name


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ('Ulf Lundstr{\\"o}m', "Ulf Lundström"),
        ("Luk\\'{a}\\v{s} Pol{\\'a}\\v{c}ek", "Lukáš Poláček"),
        ("S\\o ren {\\O}degaard, {\\ss}", "Søren Ødegaard, ß"),
        ("{curly} {braces}", "{curly} {braces}"),
        ("AC\\DC", "AC\\DC"),
        ('The \\"Big\\" Cup', 'The \\"Big\\" Cup'),
        ("Ulf Lundström", "Ulf Lundström"),
    ],
)
def test_accents_of_tex_become_letters_and_other_names_stay(written: str, name: str) -> None:
    assert plain_name(written) == name
