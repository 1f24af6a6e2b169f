"""harness help: the help of a command."""

import click


@click.command("help")
@click.argument("names", nargs=-1, metavar="[COMMAND]...")
@click.pass_context
def command(context: click.Context, names: tuple[str, ...]) -> int:
    """Show the help of COMMAND, as COMMAND --help does.

    Example: harness help contest verify
    """
    shown = context.parent or context
    for name in names:
        group = shown.command
        inner = group.get_command(shown, name) if isinstance(group, click.Group) else None
        if inner is None:
            raise click.UsageError(f"no command `{' '.join(names)}`", shown)
        shown = click.Context(inner, info_name=name, parent=shown)
    click.echo(shown.get_help())
    return 0
