"""Rules of the house style that a scan of the source can see."""

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = [
    path
    for package in ("gametheory_core", "solvers", "learners")
    for path in (ROOT / package).rglob("*.py")
]


@cache
def trees():
    assert len(SOURCES) > 20
    return [(path, ast.parse(path.read_text(encoding="utf-8"))) for path in SOURCES]


def test_packages_contain_no_assert():
    found = [
        f"{path}:{node.lineno}"
        for path, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Assert)
    ]
    assert found == []


def test_no_class_is_half_made():
    """What is left to others is an abstract method: without it nothing can be made."""
    found = [
        f"{path}:{node.lineno}"
        for path, tree in trees()
        for raised in ast.walk(tree)
        if isinstance(raised, ast.Raise)  # other libraries' classes may be caught half made
        for node in ast.walk(raised)
        if isinstance(node, ast.Name) and node.id == "NotImplementedError"
    ]
    assert found == []


def test_print_stands_only_in_main():
    found = [
        f"{path}:{node.lineno}"
        for path, tree in trees()
        if path.name not in {"__main__.py", "command_line.py"}
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "print"
    ]
    assert found == []


def test_every_zip_is_strict():
    found = [
        f"{path}:{node.lineno}"
        for path, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "zip"
        and not any(keyword.arg == "strict" for keyword in node.keywords)
    ]
    assert found == []


def test_every_exception_test_says_what_it_expects():
    """``pytest.raises`` without ``match`` passes on the wrong error."""
    found = []
    for path in (ROOT / "tests").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr == "raises"
                and not any(keyword.arg == "match" for keyword in node.keywords)
            ):
                found.append(f"{path}:{node.lineno}")
    assert found == []


def test_no_global_random_numbers():
    """Randomness is a parameter: no ``np.random.<function>`` but generator types.

    Only the check that environments leave the generators alone that all share sets these.
    """
    found = [
        f"{path}:{node.lineno}"
        for path, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Attribute)
        and node.value.attr == "random"
        and isinstance(node.value.value, ast.Name)
        and node.value.value.id in {"np", "numpy"}
        and node.attr not in {"Generator", "PCG64", "SeedSequence"}
        and path.name != "environment_replay.py"
    ]
    assert found == []


READING = {"partition", "rpartition", "replace", "startswith", "endswith", "removeprefix", "split"}


def is_text_of_an_error(node):
    """``str(error)``, ``f"{error}"`` or ``error.args[0]``, whatever the error is called."""
    names = {"error", "err", "exc", "exception", "e"}
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "str":
        return any(isinstance(a, ast.Name) and a.id in names for a in node.args)
    if isinstance(node, ast.Subscript):
        return isinstance(node.value, ast.Attribute) and node.value.attr == "args"
    return isinstance(node, ast.Attribute) and node.attr in {"problem", "remedy", "found", "needs"}


def messages_read(tree):
    """Lines where a program finds out from the text of an error what happened."""
    texts = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and is_text_of_an_error(node.value):
            texts |= {target.id for target in node.targets if isinstance(target, ast.Name)}

    def is_text(node):
        return is_text_of_an_error(node) or (isinstance(node, ast.Name) and node.id in texts)

    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in READING and is_text(node.func.value):
                yield node.lineno
            on_re = isinstance(node.func.value, ast.Name) and node.func.value.id == "re"
            if on_re and any(is_text(argument) for argument in node.args):
                yield node.lineno
        if isinstance(node, ast.Compare) and any(map(is_text, node.comparators)):
            yield node.lineno


def test_nothing_reads_a_message_but_a_person():
    found = [f"{path}:{line}" for path, tree in trees() for line in messages_read(tree)]
    assert found == []


def test_reading_a_message_is_noticed():
    slips = (
        "told = str(error)\ntold.removeprefix('a')",
        "str(error).partition(' Give')",
        "import re\nre.findall('x', str(error))",
        "'unhashable' in str(error)",
        "error.remedy.replace('a', 'b')",
    )
    for slip in slips:
        assert list(messages_read(ast.parse(slip))), slip
    assert not list(messages_read(ast.parse("print(str(error))")))
