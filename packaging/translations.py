"""Refresh the translation files: collect the texts of the screens, merge English ones, compile what Qt loads.

`translations.py` collects and compiles; `--fill FILE.json` first merges `{"Context": {"Indonesian": "English"}}`;
`--check` changes nothing and fails when a text has no English, is no longer used, or the compiled files are old.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "app" / "desktop"
FOLDER = ROOT / "resources" / "i18n"
LANGUAGES = {"en": "en_US", "id": "id_ID"}


def main(arguments: Sequence[str] | None = None) -> int:
    """0: done or in order, 1: `--check` found something (printed), 2: usage."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fill", type=Path, action="append", default=[], help="English texts to merge, JSON")
    parser.add_argument("--check", action="store_true", help="report what is missing or old, change nothing")
    wish = parser.parse_args(arguments)
    if wish.check:
        return _check()
    for language in LANGUAGES:
        collect(language, FOLDER)
    for file in wish.fill:
        print(f"{fill(FOLDER / 'sentra_en.ts', json.loads(file.read_text(encoding='utf-8')))} texts filled from {file}")
    for language in LANGUAGES:
        release(language, FOLDER)
    missing = list(unfinished(FOLDER / "sentra_en.ts"))
    for context, text in missing:
        print(f"no English yet: {context}: {text}")
    print(f"{len(missing)} texts without English")
    return 0


def collect(language: str, folder: Path) -> None:
    """Bring `sentra_<language>.ts` up to the sources; Indonesian holds plural forms only."""
    files = sorted(str(path) for path in SOURCES.rglob("*.py"))
    options = ["-silent", "-no-obsolete", "-locations", "none", "-source-language", "id_ID"]
    options += ["-target-language", LANGUAGES[language], *(["-pluralonly"] if language == "id" else [])]
    _run("lupdate", *files, *options, "-ts", str(folder / f"sentra_{language}.ts"))


def release(language: str, folder: Path) -> None:
    """Compile one language."""
    name = folder / f"sentra_{language}"
    _run("lrelease", "-silent", f"{name}.ts", "-qm", f"{name}.qm")


def fill(path: Path, texts: dict[str, dict[str, object]]) -> int:
    """Merge English texts into a .ts file; a list of two is singular and plural. Answers how many were found."""
    tree = ET.parse(path)
    count = 0
    for context, message in _messages(tree):
        english = texts.get(context, {}).get(message.findtext("source") or "")
        translation = message.find("translation")
        if english is None or translation is None:
            continue
        translation.attrib.pop("type", None)
        forms = translation.findall("numerusform")
        if forms and isinstance(english, list):
            for form, text in zip(forms, english, strict=True):
                form.text = str(text)
        else:
            translation.text = str(english)
        count += 1
    _write(tree, path)
    return count


def unfinished(path: Path) -> Iterator[tuple[str, str]]:
    """Context and source of every text without a translation."""
    for context, message in _messages(ET.parse(path)):
        translation = message.find("translation")
        if translation is None or translation.get("type") == "unfinished":
            yield context, message.findtext("source") or ""


def sources(path: Path) -> set[tuple[str, str]]:
    """Every text of a .ts file with its context."""
    return {(context, message.findtext("source") or "") for context, message in _messages(ET.parse(path))}


def _check() -> int:
    findings = [f"no English: {context}: {text}" for context, text in unfinished(FOLDER / "sentra_en.ts")]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for language in LANGUAGES:
            shutil.copy(FOLDER / f"sentra_{language}.ts", folder)
            collect(language, folder)
            before, after = (sources(where / f"sentra_{language}.ts") for where in (FOLDER, folder))
            findings += [f"{language}: not collected: {context}: {text}" for context, text in sorted(after - before)]
            findings += [f"{language}: no longer used: {context}: {text}" for context, text in sorted(before - after)]
            shutil.copy(FOLDER / f"sentra_{language}.ts", folder)
            release(language, folder)
            compiled = [(where / f"sentra_{language}.qm").read_bytes() for where in (FOLDER, folder)]
            if compiled[0] != compiled[1]:
                findings.append(f"{language}: the .qm is older than the .ts")
    for finding in findings:
        print(finding)
    return 1 if findings else 0


def _messages(tree: "ET.ElementTree[ET.Element]") -> Iterator[tuple[str, ET.Element]]:
    for context in tree.getroot().iter("context"):
        for message in context.iter("message"):
            yield context.findtext("name") or "", message


def _write(tree: "ET.ElementTree[ET.Element]", path: Path) -> None:
    text = ET.tostring(tree.getroot(), encoding="unicode")
    path.write_text(f'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n{text}\n', encoding="utf-8")


def _run(tool: str, *arguments: str) -> None:
    beside = Path(sys.executable).with_name(f"pyside6-{tool}")
    program = str(beside) if beside.exists() else shutil.which(f"pyside6-{tool}")
    if program is None:
        raise SystemExit(f"pyside6-{tool} is not installed beside {sys.executable}")
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"pyside6-{tool} failed: {done.stdout}{done.stderr}")


if __name__ == "__main__":
    sys.exit(main())
