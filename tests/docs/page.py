# SPDX-FileCopyrightText: Heliodor contributors
# SPDX-License-Identifier: Apache-2.0
"""A page of Markdown whose programs, files and commands are what they say.

* Every file that stands beside the page is shown in a fenced block, with its whole text but the SPDX
  lines, and every block of C++ is such a file.
* A block marked `console` holds commands ("$ ..") and what they print. All commands of a page run in
  one shell, in a folder where the repository's folders can be read; "..." in the expected
  text stands for anything in its line, a line of "..." alone for any lines. A command must exit with 0, unless
  the next one is "echo $?".
"""

import dataclasses
import os
import pathlib
import re
import subprocess
import tempfile

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SPDX = re.compile(r"^(?:(?://|#|<!--) SPDX-[^\n]*\n)+\n?")
MARK = "@@exit "


@dataclasses.dataclass
class Command:
    line: int  # of the page
    text: str
    expected: str


def blocks(text):
    """Triples (language, content, line of the content)."""
    return [
        (found.group(1), found.group(2), text.count("\n", 0, found.start(2)) + 1)
        for found in FENCE.finditer(text)
    ]


def shown_text(path):
    """What a page has to show of a file."""
    return SPDX.sub("", path.read_text(encoding="utf-8"))


def check_files(page):
    complaints = []
    fenced = blocks(page.read_text(encoding="utf-8"))
    files = [path for path in sorted(page.parent.iterdir()) if path != page and path.is_file()]
    texts = [shown_text(path) for path in files]
    contents = [content for _, content, _ in fenced]
    for path, text in zip(files, texts):
        if text not in contents:
            complaints.append(f"{page.name} has no block with the text of {path.name}")
    for language, content, line in fenced:
        if language == "cpp" and content not in texts:
            complaints.append(f"{page.name}:{line} shows C++ that is no file beside it")
    return complaints


def commands(text):
    found = []
    for language, content, start in blocks(text):
        if language != "console":
            continue
        continued = False
        for number, line in enumerate(content.splitlines(), start=start):
            if continued:
                found[-1].text += "\n" + line.removeprefix("> ")
            elif line.startswith("$ "):
                found.append(Command(number, line[2:], ""))
            elif found:
                found[-1].expected += line + "\n"
            continued = (continued or line.startswith("$ ")) and line.endswith("\\")
    return found


def pattern(expected):
    lines = []
    for line in expected.rstrip().splitlines():
        if line.strip() == "...":
            lines.append(r"(?:[^\n]*\n)*?")
        else:
            lines.append(r"[^\n]*?".join(map(re.escape, line.rstrip().split("..."))) + r"\n")
    return re.compile("".join(lines))


def matches(expected, actual):
    stripped = "".join(line.rstrip() + "\n" for line in actual.rstrip().splitlines())
    return pattern(expected).fullmatch(stripped) is not None


def run(page_commands, root, bin_folder):
    """Pairs (output, exit status) of the commands, in one shell."""
    script = ""
    for command in page_commands:
        script += f"{command.text}\n"
        script += f"{{ status=$?; printf '\\n{MARK}%d\\n' $status; (exit $status); }} 2>/dev/null\n"
    environment = {**os.environ, "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}"}
    with tempfile.TemporaryDirectory() as folder:
        for entry in root.iterdir():
            if not entry.name.startswith(".") and entry.name != "build":
                (pathlib.Path(folder) / entry.name).symlink_to(entry)
        shell = subprocess.run(
            ["bash"],
            input=script,
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
    parts = re.split(rf"\n?{MARK}(\d+)\n", shell.stdout)
    return list(zip(parts[0::2], map(int, parts[1::2])))


def check_commands(page, root, bin_folder, find=commands):
    complaints = []
    listed = find(page.read_text(encoding="utf-8"))
    results = run(listed, root, bin_folder)
    for i, command in enumerate(listed):
        where = f"{page.name}:{command.line} {command.text}"
        if i >= len(results):
            complaints.append(f"{where}\nwas not reached")
            break
        output, status = results[i]
        if status != 0 and (i + 1 == len(listed) or listed[i + 1].text != "echo $?"):
            complaints.append(f"{where}\nexits with {status}")
        if not matches(command.expected, output):
            complaints.append(f"{where}\nprints\n{output.rstrip()}\nthe page says\n{command.expected}")
    return complaints


def inline_commands(text):
    """Commands of ours that stand in lines of text: `heliodor ..` with arguments."""
    unfenced = FENCE.sub(lambda block: "\n" * block.group(0).count("\n"), text)
    return [
        Command(number, span, "...")
        for number, line in enumerate(unfenced.splitlines(), start=1)
        for span in re.findall(r"`(heliodor [^`]+)`", line)
    ]
