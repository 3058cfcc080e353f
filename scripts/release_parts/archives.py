"""archives.py - archives with sorted names, the owner root, the mode 644 or 755 and one date, so that the same files result in
the same bytes.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import gzip
import hashlib
import io
import tarfile

PROGRAM, PLAIN = 0o755, 0o644


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def pack(target, files, when, programs=()):
    """files: path in the archive -> bytes. programs: the paths of executable files."""
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name, content in sorted(files.items()):
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime, entry.mode = len(content), when, PROGRAM if name in programs else PLAIN
            entry.uname = entry.gname = "root"
            archive.addfile(entry, io.BytesIO(content))
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(gzip.compress(tar.getvalue(), mtime=0))


def below(folder, prefix):
    """The files of a folder, for pack."""
    return {f"{prefix}/{path.relative_to(folder).as_posix()}": path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def repack(source, target, when, change=lambda name, content: content):
    """Packs the files of another program's archive again. change(path, bytes) returns the bytes to pack."""
    with tarfile.open(source) as archive:
        entries = [entry for entry in archive if entry.isfile()]
        files = {entry.name: change(entry.name, archive.extractfile(entry).read()) for entry in entries}
    pack(target, files, when, {entry.name for entry in entries if entry.mode & 0o100})


def write_sums(folder):
    """SHA256SUMS of all files in the folder."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != "SHA256SUMS")
    lines = [f"{sha256(path)}  {path.relative_to(folder).as_posix()}\n" for path in files]
    (folder / "SHA256SUMS").write_text("".join(lines), encoding="utf-8")


def differences(one, other):
    """The files that only one of two folders has, or that differ."""
    names = [{path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()} for folder in (one, other)]
    yield from sorted(names[0] ^ names[1])
    yield from sorted(name for name in names[0] & names[1] if (one / name).read_bytes() != (other / name).read_bytes())
