"""Man pages from what a program says of itself with --experimental-dump-help.

One page for the program and one for each command, in the man macros that both groff and mandoc read.
The words are the program's own: nothing is written here that could become untrue there.

`manual.py PROGRAM SECTION FOLDER` writes the pages of a program into a folder.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import time

# An argument that this many commands describe in the same words is shown after the command's own.
COMMON = 6


def literal(text):
    """Text that a reader may copy: every hyphen is a real one."""
    return text.replace("\\", "\\e").replace("-", "\\-")


def prose(text):
    """A sentence: `code` in bold, and real hyphens in options, names of files and ids."""
    parts = re.split(r"`([^`]*)`", text)
    for index, part in enumerate(parts):
        if index % 2:
            parts[index] = f"\\fB{literal(part)}\\fR"
        else:
            part = part.replace("\\", "\\e")
            parts[index] = re.sub(r"(?<![A-Za-z])-|(?<=[^\s])-(?=-)|-(?=[A-Z0-9])", r"\\-", part)
    return "".join(parts)


def line(text):
    """One line of input: a leading dot or apostrophe would be taken for a request."""
    return ("\\&" + text) if text[:1] in (".", "'") else text


def paragraphs(text):
    """Paragraphs, indented lines as they stand, and lines such as `EXIT CODES: ...` as headings."""
    out = []
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        words, example, heading = [], [], None

        def flush_words():
            if words:
                out.append(".PP" if heading is None else "")
                out.extend(line(prose(word)) for word in words)
                words.clear()

        def flush_example():
            if example:
                out.extend([".PP", ".RS 4", ".nf"])
                margin = min(len(row) - len(row.lstrip()) for row in example)
                out.extend(line(literal(row[margin:])) for row in example)
                out.extend([".fi", ".RE"])
                example.clear()

        for row in block.split("\n"):
            match = re.match(r"([A-Z][A-Z ]+):\s*(.*)$", row)
            if match:
                flush_words()
                flush_example()
                heading = {"EXIT CODES": "EXIT STATUS", "EVERY DAY": "EXAMPLES"}.get(
                    match[1], match[1])
                out.append(f".SH {heading}")
                row = match[2][:1].upper() + match[2][1:]
                if not row:
                    continue
            if row.startswith("  "):
                flush_words()
                example.append(row)
            else:
                flush_example()
                words.append(row)
        flush_words()
        flush_example()
    return [row for row in out if row]


def spelled(argument):
    """`-o, --output <output>` in bold and italics."""
    if argument["kind"] == "positional":
        text = f"\\fI{literal(argument['valueName'])}\\fR"
        return text + (" ..." if argument["isRepeating"] else "")
    names = []
    for name in sorted(argument["names"], key=lambda name: name["kind"] == "long"):
        dashes = "--" if name["kind"] == "long" else "-"
        names.append(f"\\fB{literal(dashes + name['name'])}\\fR")
    text = ", ".join(names)
    if argument["kind"] == "option":
        text += f" \\fI{literal(argument['valueName'])}\\fR"
    return text


def described(argument):
    out = [".TP", line(spelled(argument))]
    text = argument.get("abstract", "")
    notes = []
    values = argument.get("allValues")
    if values and not all(value in text for value in values):
        notes.append("values: " + ", ".join(values))
    default = argument.get("defaultValue")
    if default is not None and argument["kind"] != "flag" and "Default:" not in text:
        notes.append(f"default: {default}")
    if argument["isRepeating"] and argument["kind"] == "option" and "repeat" not in (
            text + argument.get("discussion", "")):
        notes.append("can be repeated")
    if notes:
        text += " (" + "; ".join(notes) + ")"
    out.append(line(prose(text)) if text else "No description.")
    if argument.get("discussion"):
        out.append(".br")
        out.extend(line(prose(row.strip())) for row in argument["discussion"].split("\n") if row)
    return out


def shown(command):
    return [a for a in command.get("arguments", []) if a["shouldDisplay"]]


def identity(argument):
    names = tuple(sorted(name["name"] for name in argument.get("names", [])))
    return names, argument.get("abstract", "")


def visible(command):
    return [c for c in command.get("subcommands", []) if c["shouldDisplay"]
            and c["commandName"] != "help"]


def walk(command, path=()):
    path += (command["commandName"],)
    yield path, command
    for child in visible(command):
        yield from walk(child, path)


def synopsis(path, command):
    own = shown(command)
    text = "\\fB" + literal(" ".join(path)) + "\\fR"
    if visible(command):
        rows = [".nf"]
        if not command.get("defaultSubcommand"):
            rows.append(text + " \\fIcommand\\fR [\\fIoptions\\fR]")
        else:
            rows.append(text + " [\\fIcommand\\fR] [\\fIoptions\\fR]")
        return rows + [".fi"]
    for argument in own:
        if argument["kind"] == "option" and not argument["isOptional"]:
            text += " " + spelled(argument)
    text += " [\\fIoptions\\fR]"
    for argument in own:
        if argument["kind"] == "positional":
            text += f" [{spelled(argument)}]" if argument["isOptional"] else " " + spelled(argument)
    return [text]


def common_arguments(root):
    counts = {}
    for _, command in walk(root):
        for argument in shown(command):
            counts[identity(argument)] = counts.get(identity(argument), 0) + 1
    return {key for key, count in counts.items() if count >= COMMON}


def page(path, command, root, common, version, date, section):
    name = "-".join(path)
    abstract = command.get("abstract", "").rstrip(".")
    book = "User Commands" if section == "1" else "System Administration"
    out = [
        f'.TH "{literal(name.upper())}" "{section}" "{date}" "{path[0]} {version}" "{book}"',
        ".SH NAME", f"{literal(name)} \\- {prose(abstract[:1].lower() + abstract[1:])}",
        ".SH SYNOPSIS", *synopsis(path, command)]
    discussion = paragraphs(command.get("discussion", ""))
    if discussion:
        # A first paragraph begins the section; nothing stands between them.
        out += [".SH DESCRIPTION"] + discussion[1 if discussion[0] == ".PP" else 0:]
    children = visible(command)
    if children:
        out.append(".SH COMMANDS")
        default = command.get("defaultSubcommand")
        for child in children:
            note = " This is the default." if child["commandName"] == default else ""
            out += [".TP", f"\\fB{literal('-'.join(path + (child['commandName'],)))}\\fR({section})",
                    line(prose(child.get("abstract", "") + note))]
    arguments = shown(command)
    positional = [a for a in arguments if a["kind"] == "positional"]
    options = [a for a in arguments if a["kind"] != "positional"]
    if positional:
        out.append(".SH ARGUMENTS")
        for argument in positional:
            out += described(argument)
    own = [a for a in options if identity(a) not in common]
    shared = [a for a in options if identity(a) in common]
    if options:
        out.append(".SH OPTIONS")
        section_title = None
        for argument in sorted(own, key=lambda a: a.get("sectionTitle") or ""):
            if argument.get("sectionTitle") != section_title:
                section_title = argument.get("sectionTitle")
                out.append(f".SS {prose(section_title)}")
            out += described(argument)
        if shared:
            if own:
                out.append(".SS Options that other commands take too")
            for argument in shared:
                out += described(argument)
    if len(path) > 1:
        status = [row for row in paragraphs(root.get("discussion", ""))]
        if ".SH EXIT STATUS" in status:
            start = status.index(".SH EXIT STATUS")
            end = next((i for i in range(start + 1, len(status)) if status[i].startswith(".SH")),
                       len(status))
            out += status[start:end]
    related = [path[:-1]] if len(path) > 1 else []
    related += [path + (child["commandName"],) for child in children]
    see = [f"\\fB{literal('-'.join(one))}\\fR({section})" for one in related]
    if len(path) == 1:
        see.append("\\fBs3healthd\\fR(8)" if path[0] == "s3health" else "\\fBs3health\\fR(1)")
    out += [".SH SEE ALSO", ".nh"]
    out.append(",\n".join(see))
    return "\n".join(out) + "\n"


def pages(program, date, section):
    """The pages by file name: `s3health-put.1` and so on."""
    def said(*arguments):
        return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout

    root, version = json.loads(said("--experimental-dump-help"))["command"], said("--version").strip()
    common = common_arguments(root)
    return {
        f"{'-'.join(path)}.{section}": page(path, command, root, common, version, date, section)
        for path, command in walk(root)
    }


def main(program, section, folder):
    date = time.strftime("%Y-%m-%d", time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", "0")) or None))
    target = pathlib.Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    for name, text in pages(program, date, section).items():
        (target / name).write_text(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
