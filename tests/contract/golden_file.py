"""Reads the recorded requests: files of `azure-golden`, whose form its README describes."""
import json
import os
import re
import urllib.parse

MARK = re.compile(r"^--- (request|answer)(?: (\d+))?$")
SAME = re.compile(r"^\(body: as in (request|answer) (\d+) of ([a-z0-9-]+)\.txt\)$")


class Part:
    """One request and its answer. Bodies are JSON trees, or a dict of fields for a form."""

    def __init__(self, method, target, headers):
        self.method = method
        self.target = target
        self.headers = headers
        self.body = None
        self.form = None
        self.status = None
        self.answer_headers = {}
        self.answer = None


class GoldenFile:
    def __init__(self, name, parts):
        self.name = name
        self.parts = parts


def head_split(lines):
    """Header lines up to the first empty line, and the text after it."""
    headers = {}
    for at, line in enumerate(lines):
        if not line:
            return headers, "\n".join(lines[at + 1:]).strip()
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    return headers, ""


def sections(text):
    """Pairs of (kind, lines); whatever is neither request nor answer is left out."""
    kind, lines = "request", []
    for line in text.split("\n"):
        if line.startswith("--- "):
            if kind:
                yield kind, lines
            mark = MARK.match(line)
            kind, lines = (mark.group(1) if mark else None), []
        else:
            lines.append(line)
    if kind:
        yield kind, lines


def part_read(lines):
    method, target, _ = lines[0].split(" ", 2)
    headers, text = head_split(lines[1:])
    part = Part(method, target, headers)
    if "urlencoded" in headers.get("content-type", ""):
        part.form = dict(urllib.parse.parse_qsl(text.split("\n", 1)[0]))
    elif text:
        part.body = text
    return part


def golden_read(directory):
    """All files by name; bodies that stand for another body are resolved."""
    files = {}
    for entry in sorted(os.listdir(directory)):
        if not entry.endswith(".txt"):
            continue
        parts = []
        with open(os.path.join(directory, entry), encoding="utf-8") as f:
            for kind, lines in sections(f.read()):
                if kind == "request":
                    parts.append(part_read(lines))
                    continue
                parts[-1].status = int(lines[0])
                parts[-1].answer_headers, text = head_split(lines[1:])
                parts[-1].answer = text or None
        files[entry[:-4]] = GoldenFile(entry[:-4], parts)

    def resolved(text):
        same = SAME.match(text) if isinstance(text, str) else None
        if same:
            other = files[same.group(3)].parts[int(same.group(2)) - 1]
            return resolved(other.body if same.group(1) == "request" else other.answer)
        return json.loads(text) if isinstance(text, str) else text

    for file in files.values():
        for part in file.parts:
            part.body = resolved(part.body)
            part.answer = resolved(part.answer)
    return files
