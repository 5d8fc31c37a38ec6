"""Both languages are complete: every text has English, is still used, and the compiled files are new."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_translation_files_are_in_order() -> None:
    program = [sys.executable, str(ROOT / "packaging" / "translations.py"), "--check"]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert done.stdout == ""
    assert done.returncode == 0
