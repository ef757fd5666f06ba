"""Archives whose bytes follow from their content alone: sorted names, one time, no owner."""

import gzip
import hashlib
import io
import os
import pathlib
import shutil
import subprocess
import tarfile


class Tree:
    """Files by path, each with its bytes and mode: what is packed in several ways."""

    def __init__(self):
        self.files = {}

    def add(self, path, content, mode=0o644):
        if path in self.files:
            raise SystemExit(f"{path} is packed twice")
        self.files[path] = (content if isinstance(content, bytes) else content.encode(), mode)

    def write(self, folder, time):
        for path, (content, mode) in sorted(self.files.items()):
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            target.chmod(mode)
        for path in [folder, *folder.rglob("*")]:
            if path.is_dir():
                path.chmod(0o755)
            os.utime(path, (time, time))


def gzipped(content, time=0, level=9):
    buffer = io.BytesIO()
    with gzip.GzipFile("", "wb", level, buffer, mtime=time) as stream:
        stream.write(content if isinstance(content, bytes) else content.encode())
    return buffer.getvalue()


def tarball(tree, top, file, time, level):
    """A .tar.gz of the tree below the folder `top`."""
    folders = {top}
    for path in tree.files:
        parts = pathlib.PurePosixPath(top, path).parents
        folders.update(str(part) for part in parts if str(part) != ".")
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT) as archive:
        entries = [(folder, None, 0o755) for folder in folders]
        entries += [(f"{top}/{path}", content, mode)
                    for path, (content, mode) in tree.files.items()]
        for name, content, mode in sorted(entries, key=lambda entry: entry[0]):
            info = tarfile.TarInfo(name)
            info.mode, info.mtime = mode, time
            info.uname = info.gname = "root"
            if content is None:
                info.type = tarfile.DIRTYPE
                archive.addfile(info)
            else:
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))
    file.write_bytes(gzipped(buffer.getvalue(), level=level))


def deb(tree, control, scripts, conffiles, work, file, time, compression):
    """A Debian package: dpkg-deb sorts, and takes times no later than SOURCE_DATE_EPOCH."""
    folder = work / file.stem
    shutil.rmtree(folder, ignore_errors=True)
    size = sum(1 + (len(content) + 1023) // 1024 for content, _ in tree.files.values())
    debian = Tree()
    debian.add("DEBIAN/control", control.replace("@SIZE@", str(size)))
    sums = [f"{hashlib.md5(content).hexdigest()}  {path}\n"
            for path, (content, _) in sorted(tree.files.items()) if path not in conffiles]
    debian.add("DEBIAN/md5sums", "".join(sums))
    if conffiles:
        debian.add("DEBIAN/conffiles", "".join(f"/{path}\n" for path in conffiles))
    for name, text in scripts.items():
        debian.add(f"DEBIAN/{name}", text, 0o755)
    debian.files.update(tree.files)
    debian.write(folder, time)
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", f"-Z{compression}", "--build", str(folder), str(file)],
        check=True, stdout=subprocess.DEVNULL,
        env={**os.environ, "SOURCE_DATE_EPOCH": str(time)})
    shutil.rmtree(folder)
