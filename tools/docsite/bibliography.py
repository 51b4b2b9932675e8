"""The page of sources, from docs/references.bib."""

import re
from dataclasses import dataclass
from pathlib import Path
from unicodedata import normalize

BIB = Path(__file__).parents[2] / "docs" / "references.bib"
HEAD = """---
hide:
  - toc
---
# References

What docstrings, tests and pages name as their sources, from `docs/references.bib`.

"""
ENTRY = re.compile(r"^@(\w+)\{([^,\s]+),\n(.*?)^\}", re.MULTILINE | re.DOTALL)
FIELD = re.compile(r"^\s*(\w+)\s*=\s*\{(.*?)\},?\s*$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Source:
    """One entry: its key, and its fields as plain text."""

    key: str
    fields: dict[str, str]

    @property
    def label(self) -> str:
        """Last names and year: "Koller et al. 1994"."""
        names = [_last_name(name) for name in self.fields["author"].split(" and ")]
        shown = names[0] if len(names) == 1 else " and ".join(names)
        return f"{shown if len(names) <= 2 else f'{names[0]} et al.'} {self.fields['year']}"

    @property
    def text(self) -> str:
        """The entry as a bibliography prints it, in Markdown."""
        fields = self.fields
        authors = fields["author"].split(" and ")
        who = authors[0] if len(authors) == 1 else f"{', '.join(authors[:-1])} and {authors[-1]}"
        place = next((fields[k] for k in _PLACES if k in fields), "")
        volume = " ".join(fields[key] for key in ("volume", "pages") if key in fields)
        parts = [who, f"*{fields['title']}*", place, volume, fields["year"]]
        return ". ".join(part.rstrip(".") for part in parts if part) + "."


_PLACES = ("journal", "booktitle", "publisher", "howpublished", "institution", "school")
_MARKS = {
    "`": "\u0300",
    "'": "\u0301",
    "^": "\u0302",
    "~": "\u0303",
    '"': "\u0308",
    "v": "\u030c",
    "c": "\u0327",
}
_ACCENT = re.compile(r"\\(?:([`'^~\"])\{?|([vc])\{)\\?(\w)\}?")
_LETTERS = {"\\o": "ø", "\\ss": "ß", "\\&": "&", "$\\alpha$": "\u03b1", "---": "-", "--": "-"}


def _last_name(name: str) -> str:
    return name.partition(",")[0] if "," in name else name.rsplit(maxsplit=1)[-1]


def _plain(text: str) -> str:
    text = _ACCENT.sub(
        lambda found: normalize("NFC", found[3] + _MARKS[found[1] or found[2]]), text
    )
    for written, shown in _LETTERS.items():
        text = text.replace(written, shown)
    return " ".join(re.sub(r"[{}]", "", text).split())


def sources() -> dict[str, Source]:
    """Return all entries by key."""
    return {
        key: Source(key, {name.lower(): _plain(value) for name, value in FIELD.findall(body)})
        for _kind, key, body in ENTRY.findall(BIB.read_text(encoding="utf-8"))
    }


def page() -> str:
    """Return the page, in order of authors; each entry can be linked to by its key."""
    ordered = sorted(sources().values(), key=lambda source: source.label.lower())
    entries = [f"### {source.label} {{#{source.key}}}\n\n{source.text}" for source in ordered]
    return HEAD + "\n\n".join(entries) + "\n"
