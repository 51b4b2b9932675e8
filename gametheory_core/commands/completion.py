"""``completion SHELL``: print a script that completes verbs, options, their words, and games.

The script holds all that it offers, read off the options of each verb, so that a key press runs
no Python. Who installs games or solvers of others prints it again.
"""

import argparse
from collections.abc import Iterable
from typing import NamedTuple

from gametheory_core.catalog.index import catalog
from gametheory_core.command_line import write_out
from gametheory_core.commands.verbs import VERBS, parser_of
from gametheory_core.errors import MissingDependency

NAME = "gametheory"
GENERAL = ("--help", "--version")
BASH = """# completion of {name} in bash: eval "$({name} completion bash)"
_{name}() {{
    local IFS=$'\\n' current=${{COMP_WORDS[COMP_CWORD]}} verb=${{COMP_WORDS[1]}} words= files=
    if (( COMP_CWORD == 1 )); then
        words={verbs}
    else
        case "$verb ${{COMP_WORDS[COMP_CWORD-1]}}" in
{after}
            *) case "$verb $current" in
{options}
{places}
            esac;;
        esac
    fi
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    if [[ $files ]]; then
        COMPREPLY+=($(compgen -f -- "$current"))
    fi
}}
complete -o filenames -F _{name} {name}
"""
ZSH = """#compdef {name}
# completion of {name} in zsh: eval "$({name} completion zsh)", after compinit
_{name}() {{
    local current=$words[CURRENT] verb=$words[2] offered= files=
    if (( CURRENT == 2 )); then
        offered={verbs}
    else
        case "$verb $words[CURRENT-1]" in
{after}
            *) case "$verb $current" in
{options}
{places}
            esac;;
        esac
    fi
    compadd -- ${{(f)offered}}
    if [[ $files ]]; then
        _files
    fi
}}
compdef _{name} {name}
"""


class Taken(NamedTuple):
    """An argument of a verb.

    Attributes:
        names: Of an option; none of what is told by its place.
        words: What can be given, if it is one of a list.
        is_flag: Whether nothing follows the option.
        help: What it is.
    """

    names: tuple[str, ...]
    words: tuple[str, ...]
    is_flag: bool
    help: str


def add_completion(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.description = (
        "Print a script that completes verbs, options, their words, and names of games. For bash, "
        f'write eval "$({NAME} completion bash)" into ~/.bashrc, or the script into a file that '
        "the shell reads."
    )
    parser.add_argument(
        "shell", choices=SHELLS, metavar="SHELL", help=f"one of {', '.join(SHELLS)}"
    )
    parser.set_defaults(run=_print)


def _print(options: argparse.Namespace) -> int:
    write_out(SHELLS[options.shell]({verb: arguments_of(verb) for verb in VERBS}))
    return 0


def arguments_of(verb: str) -> tuple[Taken, ...]:
    """Return what a verb takes; a verb that is not installed, or reads for itself, takes games."""
    games = Taken((), tuple(catalog()), is_flag=False, help="game")
    if VERBS[verb].target.endswith(":main"):
        return (games,)
    try:
        parser = parser_of(verb, prog=NAME)
    except MissingDependency:
        return ()
    listed = {"game": games.words} | (parser.get_default("words") or {})
    return tuple(
        Taken(
            tuple(action.option_strings),
            tuple(map(str, action.choices or listed.get(action.dest, ()))),
            is_flag=action.nargs == 0,
            help=(action.help or "").partition(":")[0],
        )
        for action in parser._actions  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    )


def _lines(words: Iterable[str]) -> str:
    """Quote words for a shell, one a line."""
    return "$'" + "\\n".join(words) + "'"


def _cases(template: str, taken: dict[str, tuple[Taken, ...]], *, variable: str) -> str:
    """Write the script of a shell whose ``case`` looks at the verb and the word before."""
    after: list[str] = []
    options: list[str] = []
    places: list[str] = []
    for verb, arguments in taken.items():
        for own in arguments:
            patterns = "|".join(f'"{verb} {name}"' for name in own.names)
            if own.names and not own.is_flag:
                offer = f"{variable}={_lines(own.words)}" if own.words else "files=yes"
                after.append(f"            {patterns}) {offer};;")
        names = [name for own in arguments for name in own.names if name.startswith("--")]
        options.append(f'            "{verb} "-*) {variable}={_lines(names)};;')
        words = [word for own in arguments if not own.names for word in own.words]
        places.append(f'            "{verb} "*) {variable}={_lines(words)} files=yes;;')
    return template.format(
        name=NAME,
        verbs=_lines((*taken, *GENERAL)),
        after="\n".join(after),
        options="\n".join(options),
        places="\n".join(places),
    )


def _bash(taken: dict[str, tuple[Taken, ...]]) -> str:
    return _cases(BASH, taken, variable="words")


def _zsh(taken: dict[str, tuple[Taken, ...]]) -> str:
    return _cases(ZSH, taken, variable="offered")


def _fish(taken: dict[str, tuple[Taken, ...]]) -> str:
    def quoted(text: str) -> str:
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"

    lines = [f"# completion of {NAME} in fish: {NAME} completion fish | source"]
    begin = f"complete -c {NAME}"
    for verb in taken:
        words = quoted(VERBS[verb].words)
        lines.append(f"{begin} -f -n __fish_use_subcommand -a {verb} -d {words}")
    lines += [f"{begin} -f -n __fish_use_subcommand -l {name[2:]}" for name in GENERAL]
    for verb, arguments in taken.items():
        here = f"{begin} -n '__fish_seen_subcommand_from {verb}'"
        for own in arguments:
            words = f" -a {quoted(' '.join(own.words))}" if own.words else ""
            for name in own.names:
                kind = f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"
                value = "" if own.is_flag else " -x" if own.words else " -r"
                lines.append(f"{here} {kind}{value}{words} -d {quoted(own.help)}")
            if words and not own.names:
                lines.append(f"{here}{words}")
    return "\n".join(lines) + "\n"


SHELLS = {"bash": _bash, "zsh": _zsh, "fish": _fish}
