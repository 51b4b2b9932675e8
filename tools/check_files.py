"""Text files end with one newline and no trailing blanks, and no file is large: a commit hook."""

import sys
from pathlib import Path

LARGEST = 200_000  # bytes


def complaints(path: Path) -> list[str]:
    """What is wrong with one file."""
    content = path.read_bytes()
    found: list[str] = []
    if len(content) > LARGEST:
        found.append(f"{path}: {len(content):,} bytes, more than {LARGEST:,}")
    if b"\0" in content or not content:
        return found
    if not content.endswith(b"\n") or content.endswith(b"\n\n"):
        found.append(f"{path}: does not end with one newline")
    for number, line in enumerate(content.splitlines(), start=1):
        if line != line.rstrip():
            found.append(f"{path}:{number}: trailing blanks")
    return found


def main() -> None:
    """Print every complaint about the files named, and exit with 1 if there is one."""
    found = [line for name in sys.argv[1:] for line in complaints(Path(name))]
    sys.stdout.writelines(line + "\n" for line in found)
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
