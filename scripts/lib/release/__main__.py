"""Makes what people install of the built programs: see scripts/release."""

import argparse
import datetime
import hashlib
import pathlib
import re
import shutil
import sys
import tempfile

import contents
import linked
import manual
import pack
import sbom

ROOT = pathlib.Path(__file__).resolve().parents[3]
SECTIONS = {"s3health": "1", "s3healthd": "8", "s3race": "1"}


def options():
    parser = argparse.ArgumentParser(prog="scripts/release")
    parser.add_argument("--binaries", required=True, type=pathlib.Path)
    parser.add_argument("--output", required=True, type=pathlib.Path)
    parser.add_argument("--time", required=True, type=int)
    parser.add_argument("--maintainer", required=True)
    parser.add_argument("--quick", action="store_true")
    return parser.parse_args()


def split(binary, work, quick):
    """The program without its debug information, and that information as a file of its own."""
    debug, stripped = work / f"{binary.name}.debug", work / binary.name
    packed = [] if quick else ["--compress-debug-sections=zlib"]
    linked.run("objcopy", "--only-keep-debug", *packed, str(binary), str(debug))
    linked.run("strip", "--strip-all", "--remove-section=.comment", "-o", str(stripped),
               str(binary))
    linked.run("objcopy", f"--add-gnu-debuglink={debug}", str(stripped))
    notes = linked.run("readelf", "--notes", str(stripped))
    identity = re.search(r"Build ID: ([0-9a-f]+)", notes)
    if not identity:
        raise SystemExit(f"{binary} has no build id, so debuggers could not find {debug.name}")
    return stripped, debug, identity[1]


def depends(stripped, program, work):
    """What dpkg-shlibdeps says of the libraries, from their packages' own symbol files."""
    folder = work / f"{program}-shlibs"
    (folder / "debian").mkdir(parents=True)
    (folder / "debian/control").write_text(
        f"Source: {program}\n\nPackage: {program}\nArchitecture: any\n")
    text = linked.run("dpkg-shlibdeps", "-O", str(stripped), cwd=folder)
    shutil.rmtree(folder)
    return re.search(r"shlibs:Depends=(.*)", text)[1]


def distribution():
    text = pathlib.Path("/etc/os-release").read_text()
    return re.search(r'^ID="?([^"\n]+)', text, re.MULTILINE)[1]


def main():
    wanted = options()
    work = pathlib.Path(tempfile.mkdtemp(prefix="s3health-release-"))
    try:
        release(wanted, work)
    finally:
        shutil.rmtree(work)


def release(wanted, work):
    output = wanted.output
    output.mkdir(parents=True, exist_ok=True)
    architecture = linked.run("dpkg", "--print-architecture").strip()
    machine = linked.run("uname", "-m").strip()
    date = datetime.datetime.fromtimestamp(wanted.time, datetime.timezone.utc)
    levels = (0, "none") if wanted.quick else (9, "xz")
    runtime = linked.runtime()
    everything, debugs, made = pack.Tree(), pack.Tree(), []
    version = None
    for program, section in SECTIONS.items():
        binary = wanted.binaries / program
        answer = linked.run(str(binary), "--version").strip()
        if version not in (None, answer):
            raise SystemExit(f"the programs are of two versions: {version} and {answer}")
        version = answer
        stripped, debug, identity = split(binary, work, wanted.quick)
        packages = linked.swift_packages(wanted.binaries, program, ROOT)
        bom = sbom.document(
            program, version, stripped.read_bytes(), packages, runtime,
            linked.library_packages(stripped), architecture, distribution(),
            date.strftime("%Y-%m-%dT%H:%M:%SZ"))
        pages = manual.pages(str(binary), date.strftime("%Y-%m-%d"), section)
        scripts = {shell: contents.sourced(
            linked.run(str(binary), "--generate-completion-script", shell))
            for shell in contents.COMPLETIONS}
        parts = contents.Parts(
            program, version, section, stripped.read_bytes(), pages, scripts,
            [*packages, runtime], bom, date, wanted.maintainer, ROOT)
        contents.add_to_tarball(everything, parts)
        debugs.add(f".build-id/{identity[:2]}/{identity[2:]}.debug", debug.read_bytes())
        file = output / f"{program}_{version}-1_{architecture}.deb"
        control = contents.control(
            parts, architecture, depends(stripped, program, work))
        pack.deb(contents.deb_tree(parts), control, contents.scripts(parts),
                 contents.conffiles(parts), work, file, wanted.time, levels[1])
        (output / f"{program}-{version}.cdx.json").write_text(bom)
        made += [file, output / f"{program}-{version}.cdx.json"]
    top = f"s3health-{version}-linux-{machine}"
    for name, tree in ((f"{top}", everything), (f"{top}-debug", debugs)):
        file = output / f"{name}.tar.gz"
        pack.tarball(tree, name, file, wanted.time, levels[0])
        made.append(file)
    sums = "".join(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n"
                   for file in sorted(made))
    (output / "SHA256SUMS").write_text(sums)
    for file in [*sorted(made), output / "SHA256SUMS"]:
        print(f"{file.stat().st_size:>12,}  {file.name}")


if __name__ == "__main__":
    sys.exit(main())
