"""What a program is made of: the Swift packages and the runtime inside it, the libraries beside it.

The packages are read from the list of object files that the linker was given, not from the manifest:
a package that is fetched but not linked needs no licence here.
"""

import json
import pathlib
import re
import subprocess

# What the runtime that is linked statically brings, beside the standard library. All are under the
# toolchain's licence. ICU, which has another one, is not among them: the programs use nothing of
# Foundation that carries it.
RUNTIME = "swift-runtime"
RUNTIME_TEXT = (
    "The Swift standard library, libdispatch and FoundationEssentials, from the Swift toolchain. "
    "Apache-2.0 with the Runtime Library Exception.")
BORINGSSL_MODULE = "CNIOBoringSSL"


def run(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


class Linked:
    def __init__(self, name, version, folder, url=None, licence="Apache-2.0", texts=()):
        self.name, self.version, self.folder, self.url = name, version, folder, url
        self.licence, self.texts = licence, list(texts)

    def licence_text(self):
        return "\n".join(
            f"==== {title} ====\n\n{text.strip()}\n" for title, text in self.texts)


def modules(binaries, program):
    """The modules whose objects were linked."""
    listing = binaries / f"{program}.product" / "Objects.LinkFileList"
    found = set()
    for row in listing.read_text().splitlines():
        match = re.search(r"/([^/]+)\.build/", row)
        if match:
            found.add(match[1])
    if not found:
        raise SystemExit(f"{listing} names no object file")
    return found


def boringssl_notice(folder):
    """BoringSSL comes without a licence file of its own: its files name who wrote them."""
    holders = set()
    for file in (folder / "Sources" / BORINGSSL_MODULE).rglob("*"):
        if file.suffix in (".cc", ".c", ".h", ".S", ".inc"):
            holders.update(re.findall(r"Copyright [^\n*]*\d{4}[^\n*]*", file.read_text()))
    return ("Under the Apache License, Version 2.0, of which this package's licence file has the "
            "text.\n\n" + "\n".join(sorted(holder.strip() for holder in holders)))


def swift_packages(binaries, program, root):
    """The packages whose modules were linked, by the folders that they were checked out to."""
    checkouts = binaries.resolve()
    while not (checkouts / "checkouts").is_dir():
        if checkouts == checkouts.parent:
            raise SystemExit(f"no folder above {binaries} holds checkouts of the packages")
        checkouts = checkouts.parent
    pins = json.loads((checkouts.parent / "Package.resolved").read_text())["pins"]
    pins = {pin["identity"]: pin for pin in pins}
    wanted = {name for name in modules(binaries, program)
              if not any(root.glob(f"Sources/*/{name}/"))}
    result = []
    for folder in sorted((checkouts / "checkouts").iterdir()):
        manifest = (folder / "Package.swift").read_text()
        own = {module for module in wanted if any(folder.glob(f"Sources/**/{module}/"))
               or re.search(rf'\.target\(\s*name: "{module}"', manifest)}
        if not own:
            continue
        wanted -= own
        pin = pins[folder.name]
        texts = [(f"{folder.name}: {file.name}", file.read_text())
                 for file in sorted(folder.iterdir())
                 if re.match(r"(LICEN[CS]E|NOTICE)", file.name, re.IGNORECASE)]
        for module in sorted(own):
            for source in folder.glob(f"Sources/**/{module}/"):
                for file in sorted(source.rglob("LICENSE*")):
                    texts.append((f"{folder.name}: {file.relative_to(folder)}", file.read_text()))
        if BORINGSSL_MODULE in own:
            texts.append(("BoringSSL", boringssl_notice(folder)))
        if not any("LICEN" in title.upper() for title, _ in texts):
            raise SystemExit(f"{folder} has no licence file")
        result.append(Linked(
            folder.name, pin["state"].get("version") or pin["state"]["revision"], folder,
            pin["location"].removesuffix(".git"), texts=texts))
    if wanted:
        raise SystemExit(f"no package for the linked modules {', '.join(sorted(wanted))}")
    return result


def runtime():
    """The toolchain's part, with its licence."""
    swift = pathlib.Path(run("sh", "-c", "command -v swift").strip()).resolve()
    licence = swift.parent.parent / "share/swift/LICENSE.txt"
    version = re.search(r"Swift version (\S+)", run("swift", "--version"))[1]
    return Linked(
        RUNTIME, version, licence.parent, "https://github.com/swiftlang/swift",
        "Apache-2.0 WITH Swift-exception",
        [("Swift runtime", RUNTIME_TEXT + "\n\n" + licence.read_text())])


def needed(program_file):
    """The shared libraries that the program asks for, as the loader will."""
    return sorted(re.findall(r"NEEDED\s+(\S+)", run("objdump", "-p", str(program_file))))


def library_packages(program_file):
    """For each shared library the Debian package on this machine that has it, with its version."""
    names = needed(program_file)
    paths = {}
    for row in run("ldd", str(program_file)).splitlines():
        match = re.match(r"\s*(\S+) => (\S+)", row)
        if match:
            paths[match[1]] = match[2]
    found = {}
    for name in names:
        path = pathlib.Path(paths.get(name, name))
        for candidate in (path, path.resolve(), pathlib.Path("/usr") / str(path).lstrip("/")):
            answer = subprocess.run(["dpkg-query", "--search", str(candidate)],
                                    capture_output=True, text=True)
            if answer.returncode == 0:
                package = answer.stdout.split(":")[0]
                version = run("dpkg-query", "--show", "--showformat", "${Version}\n", package)
                found[package] = version.splitlines()[0]
                break
        else:
            if not name.startswith("ld-linux"):
                raise SystemExit(f"no Debian package has {name}")
    return dict(sorted(found.items()))
