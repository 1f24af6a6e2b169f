"""harness doctor: which tools this machine has, what each missing tool prevents, and how to install it."""

import importlib.util
import os
import shutil
import tempfile

import click
from rich.text import Text

from harness.build.toolchains import Toolchain, find_toolchain
from harness.cli.console import console
from harness.cli.environment import cache_folder, language_table, warn_of_unread_config
from harness.cli.options import JsonTarget, json_option, write_json
from harness.judge.report import describe_machine
from harness.report import words
from harness.report.tables import isolation_line, plain_table
from harness.results.as_json import as_json
from harness.sandbox.facts import MIB, Isolation
from harness.sandbox.opening import IsolationMode, open_sandboxes
from harness.statement.page import has_font

# Each missing tool prevents one feature; nothing else needs it.
OPTIONAL = (
    ("typst", "statements as PDF", "pip install typst"),
    ("distributed", "grading on several machines", "pip install distributed"),
    ("tree_sitter_cpp", "mutating C++ solutions", "pip install tree-sitter tree-sitter-cpp"),
    ("hypothesis", "harness.shapes.testing in your own tests", "pip install hypothesis"),
)
OPTIONAL_TOOLS = (("chromium", "looking at statements as pictures", "apt install chromium"),)
CJK_FONTS = ("Japanese font", "Japanese statements as PDF", "apt install fonts-noto-cjk")


@click.command("doctor")
@json_option
def command(*, json_file: JsonTarget) -> int:
    """Say which languages and which isolation this machine has, and what to install for the rest.

    Exit code 1: programs cannot be contained, or C++ or Python cannot be judged.

    Example: harness doctor
    """
    warn_of_unread_config()
    table = language_table()
    search_path, as_other_user = os.environ.get("PATH", ""), os.geteuid() == 0
    tools = [
        find_toolchain(language, search_path=search_path, as_other_user=as_other_user)
        for language in table.values()
    ]
    [sandbox] = open_sandboxes(IsolationMode.AUTO, 1, cache=cache_folder())
    sandbox.close()
    optional = _optional()
    facts = _facts(tools, sandbox.isolation, optional)
    write_json(json_file, facts)
    if json_file is None:
        _show(tools, sandbox.isolation, optional, facts)
    return 0 if facts["ready"] else 1


def _facts(tools: list[Toolchain], isolation: Isolation, optional: list[dict[str, object]]) -> dict[str, object]:
    available = {tool.language.code: tool.available for tool in tools}
    machine = describe_machine(calibrate=False)
    return {
        "isolation": as_json(isolation),
        "banner": words.isolation_banner(isolation),
        "languages": {
            tool.language.code: {name: str(path) for name, path in tool.paths.items()}
            for tool in tools
            if tool.available
        },
        "missing_languages": {tool.language.code: tool.explanation for tool in tools if not tool.available},
        "machine": {"system": machine.system, "processor": machine.processor, "cores": machine.cores},
        "temporary_mib_free": shutil.disk_usage(tempfile.gettempdir()).free // MIB,
        "cache": str(cache_folder()),
        "optional": optional,
        "ready": isolation.contained and available["cpp"] and available["python3"],
    }


def _optional() -> list[dict[str, object]]:
    """Return the optional tools: what each is for, and how to install it."""
    optional = [(*item, importlib.util.find_spec(item[0]) is not None) for item in OPTIONAL]
    optional += [(*item, shutil.which(item[0]) is not None) for item in OPTIONAL_TOOLS]
    japanese = has_font("ja")
    if japanese is not None:
        optional.append((*CJK_FONTS, japanese))
    keys = ("name", "for", "install", "here")
    return [dict(zip(keys, item, strict=True)) for item in optional]


def _show(
    tools: list[Toolchain], isolation: Isolation, optional: list[dict[str, object]], facts: dict[str, object]
) -> None:
    out = console()
    table = plain_table("language", "--language", "", "with")
    for tool in tools:
        state = Text("ready", style="green") if tool.available else Text("missing", style="yellow")
        tools_text = ", ".join(str(path) for path in tool.paths.values()) if tool.available else tool.explanation
        table.add_row(Text(tool.language.name), Text(tool.language.code), state, Text(tools_text))
    out.print(table)
    out.print()
    for item in optional:
        words_of = "here" if item["here"] else f"missing: {item['install']}"
        out.print(f"{item['name']} (for {item['for']}): {words_of}", markup=False)
    out.print()
    out.print(isolation_line(isolation))
    out.print(f"temporary files: {facts['temporary_mib_free']} MiB free in {tempfile.gettempdir()}", markup=False)
    out.print(f"compiled programs are kept in {facts['cache']}", markup=False)
