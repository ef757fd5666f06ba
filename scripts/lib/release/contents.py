"""Which files a package and the tarball hold, and where."""

import dataclasses
import datetime
import email.utils
import pathlib

import pack

COMPLETIONS = ("bash", "zsh", "fish")
DOCUMENTS = ("README.md", "SPEC.md", "CHANGELOG.md")
GUIDES = ("docs/*.md", "docs/spec/*.md")
ABSTRACT = {
    "s3health": ("keep your daily health data in a bucket or folder that you own", """\
 s3health turns exports of Apple Health, payloads of Health Auto Export and
 JSON of your own into one small JSON document per day. Every version of a day
 stays as an immutable revision in an S3 bucket or a folder, and the pointer to
 the newest one never goes backwards, however many writers race or crash.
 .
 It also checks for gaps and faults, writes tables and reports, uploads raw
 data, and serves AI agents with the Model Context Protocol.
"""),
    "s3race": ("test whether a store keeps what s3health promises, by racing it", """\
 s3race runs the code with which s3health publishes and reads days, by
 many processes at once, with faults and kills, on a folder or an S3
 bucket, and on a model of one in every order of requests. It shows
 whether a pointer to the newest revision ever went backwards, and breaks
 parts on purpose to show that it would notice.
 .
 It is for those who choose a store. Keeping health data does not need it.
"""),
    "s3healthd": ("server that phones post health data to, for s3health", """\
 s3healthd takes what Health Auto Export, Overland, OwnTracks and s3health post,
 and keeps it in an S3 bucket or a folder that the person owns. What it
 acknowledges is durable; the days that it touches are published within seconds.
 .
 It can keep the records as rows in a PostgreSQL database too.
"""),
}

SUGGESTED = {
    "s3health": "s3healthd, s3race",
    "s3race": "s3health",
    "s3healthd": "s3health, postgresql, prometheus",
}


@dataclasses.dataclass
class Parts:
    program: str
    version: str
    section: str
    binary: bytes
    pages: dict
    completions: dict
    licences: list
    bom: str
    date: datetime.datetime
    maintainer: str
    root: pathlib.Path

    def file(self, path):
        return (self.root / path).read_bytes()

    def guides(self):
        files = [file for pattern in GUIDES for file in self.root.glob(pattern)]
        return sorted(file.relative_to(self.root).as_posix() for file in files)


def sourced(script):
    """A completion is read by a shell that runs already, so a first line that names one goes."""
    return script.split("\n", 1)[1] if script.startswith("#!") else script


def completion_path(program, shell, debian):
    if shell == "bash":
        return f"share/bash-completion/completions/{program}"
    if shell == "zsh":
        return f"share/zsh/{'vendor-completions' if debian else 'site-functions'}/_{program}"
    return f"share/fish/vendor_completions.d/{program}.fish"


def unit(parts, name, debian):
    """A unit of systemd; the archive is for /usr/local, where systemd looks for units too."""
    text = parts.file(f"packaging/systemd/{name}").decode()
    return text if debian else text.replace("/usr/bin/", "/usr/local/bin/")


def add_common(tree, parts, prefix, debian):
    tree.add(f"{prefix}bin/{parts.program}", parts.binary, 0o755)
    for shell in COMPLETIONS:
        tree.add(prefix + completion_path(parts.program, shell, debian),
                 parts.completions[shell])
    for name, text in parts.pages.items():
        path = f"{prefix}share/man/man{parts.section}/{name}"
        tree.add(path + ".gz", pack.gzipped(text)) if debian else tree.add(path, text)
    if parts.program == "s3health":
        for job in ("collect", "sync"):
            for kind in ("service", "timer"):
                name = f"s3health-{job}.{kind}"
                tree.add(f"{prefix}lib/systemd/user/{name}", unit(parts, name, debian))
    elif parts.program == "s3healthd":
        tree.add(f"{prefix}lib/systemd/system/s3healthd.service",
                 unit(parts, "s3healthd.service", debian))
    documents = f"{prefix}share/doc/{parts.program}/"
    tree.add(documents + f"{parts.program}.cdx.json", parts.bom)
    for licence in parts.licences:
        tree.add(documents + f"linked/{licence.name}.txt", licence.licence_text())


def add_to_tarball(tree, parts):
    add_common(tree, parts, "", debian=False)
    if parts.program == "s3health":
        tree.add("share/doc/s3health/LICENSE", parts.file("LICENSE"))
        for name in DOCUMENTS:
            tree.add(f"share/doc/s3health/{name}", parts.file(name))
        for name in parts.guides():
            tree.add(f"share/doc/s3health/{name}", parts.file(name))
    elif parts.program == "s3healthd":
        tree.add("share/doc/s3healthd/config", parts.file("packaging/debian/s3healthd.config"))


def deb_tree(parts):
    tree = pack.Tree()
    add_common(tree, parts, "usr/", debian=True)
    documents = f"usr/share/doc/{parts.program}/"
    tree.add(documents + "copyright", copyright_file(parts))
    tree.add(documents + "changelog.gz", pack.gzipped(parts.file("CHANGELOG.md")))
    tree.add(documents + "changelog.Debian.gz", pack.gzipped(
        f"{parts.program} ({parts.version}-1) unstable; urgency=medium\n\n"
        f"  * Version {parts.version}: changelog.gz says what has changed.\n\n"
        f" -- {parts.maintainer}  {email.utils.format_datetime(parts.date)}\n"))
    tree.add(f"usr/share/lintian/overrides/{parts.program}",
             parts.file(f"packaging/debian/{parts.program}.lintian-overrides"))
    if parts.program == "s3health":
        for name in parts.guides():
            tree.add(f"{documents}{name}.gz", pack.gzipped(parts.file(name)))
    elif parts.program == "s3healthd":
        tree.add("etc/s3healthd/config", parts.file("packaging/debian/s3healthd.config"))
        tree.add("etc/default/s3healthd", parts.file("packaging/debian/s3healthd.default"), 0o640)
    return tree


def conffiles(parts):
    if parts.program != "s3healthd":
        return []
    return ["etc/default/s3healthd", "etc/s3healthd/config"]


def scripts(parts):
    if parts.program != "s3healthd":
        return {}
    return {name: parts.file(f"packaging/debian/s3healthd.{name}")
            for name in ("postinst", "prerm", "postrm")}


def control(parts, architecture, libraries):
    short, long = ABSTRACT[parts.program]
    wanted = f"{libraries}, ca-certificates, tzdata"
    if parts.program == "s3healthd":
        wanted += ", adduser"
    return (
        f"Package: {parts.program}\nVersion: {parts.version}-1\nArchitecture: {architecture}\n"
        f"Maintainer: {parts.maintainer}\nInstalled-Size: @SIZE@\nDepends: {wanted}\n"
        f"Suggests: {SUGGESTED[parts.program]}\nSection: utils\nPriority: optional\nDescription: {short}\n{long}")


def copyright_file(parts):
    text = (
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"
        "Upstream-Name: s3health\n"
        "Comment: The program holds the parts named below. The folder "
        f"/usr/share/doc/{parts.program}/linked\n has the licence and the notices of each.\n\n"
        f"Files: *\nCopyright: {parts.date.year} the authors of s3health\nLicense: Apache-2.0\n\n")
    for licence in parts.licences:
        text += (
            f"Files: {licence.name}\nCopyright: the authors of {licence.name}\n"
            f"License: {'Apache-2.0' if licence.name != 'swift-runtime' else 'Apache-2.0-Swift'}\n"
            f"Comment: version {licence.version}, linked into the program\n\n")
    return text + (
        "License: Apache-2.0\n On Debian systems, the full text of the Apache License 2.0 is in\n"
        " /usr/share/common-licenses/Apache-2.0.\n\n"
        "License: Apache-2.0-Swift\n The Apache License 2.0, with the Runtime Library Exception of "
        "Swift: portions that\n are embedded into a binary product may be redistributed without "
        "attribution.\n On Debian systems, the full text of the Apache License 2.0 is in\n "
        "/usr/share/common-licenses/Apache-2.0.\n")
