"""A disk that forgets: of a folder's files only what was flushed to it is there once the power fails.

A small library, compiled when it is needed and loaded before a server's others (``LD_PRELOAD``), stands between the
server and the system. Whenever a file in the folder is flushed (``fsync``, ``fdatasync``), it keeps a copy of it as it
is then; whenever the folder is, it forgets copies of files that are not there any more. When the server has been
killed, :meth:`Disk.fail` puts the copies in the place of the files: whatever was written and never flushed is gone, as
on a disk that had kept it in memory. Every write is lost that may be lost, which is more than real disks lose.

SQLite's folder is such a disk, and PostgreSQL's, with its many processes and folders (:class:`PowerlessCluster`).
"""

from __future__ import annotations

import contextlib
import filecmp
import os
import shutil
import signal
import subprocess
from pathlib import Path

from tests.postgres import Cluster
from tests.support import wait_until

_SOURCE = r"""
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t one_by_one = PTHREAD_MUTEX_INITIALIZER;

static void die(const char *what) { perror(what); abort(); }

/* The path of an open file; whether it is the folder, or lies in it. */
static int ours(int fd, char *path) {
    const char *folder = getenv("SERAI_DISK");
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (!folder || length < 0) return 0;
    path[length] = 0;
    size_t size = strlen(folder);
    return !strncmp(path, folder, size) && (path[size] == 0 || path[size] == '/');
}

/* Where the copy of a file or folder is. */
static void kept(char *place, const char *path) {
    snprintf(place, PATH_MAX, "%s%s", getenv("SERAI_DISK_KEPT"), path + strlen(getenv("SERAI_DISK")));
}

/* All folders above the copy. */
static void make_way(const char *place) {
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", place);
    for (char *at = folder + strlen(getenv("SERAI_DISK_KEPT")) + 1; (at = strchr(at, '/')); at++) {
        *at = 0;
        mkdir(folder, 0700);
        *at = '/';
    }
}

static void keep(const char *path) {
    static char bytes[1 << 20];
    char place[PATH_MAX], part[PATH_MAX];
    kept(place, path);
    make_way(place);
    snprintf(part, sizeof part, "%s.part.%d", getenv("SERAI_DISK_KEPT"), getpid());
    int from = open(path, O_RDONLY), to = open(part, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (from < 0) { close(to); return; } /* it has no name any more */
    if (to < 0) die(part);
    ssize_t count;
    while ((count = read(from, bytes, sizeof bytes)) > 0)
        if (write(to, bytes, count) != count) die(part);
    close(from);
    close(to);
    if (rename(part, place)) die(place);
}

static void forget_removed(const char *folder) {
    char place[PATH_MAX], there[PATH_MAX];
    kept(there, folder);
    DIR *copies = opendir(there);
    if (!copies) return; /* nothing in it was flushed yet */
    for (struct dirent *one; (one = readdir(copies));) {
        if (one->d_name[0] == '.') continue;
        snprintf(there, sizeof there, "%s/%s", folder, one->d_name);
        kept(place, there);
        if (access(there, F_OK)) unlink(place);
    }
    closedir(copies);
}

static int flushed(int fd) {
    char path[PATH_MAX];
    struct stat what;
    if (!ours(fd, path)) return 0;
    pthread_mutex_lock(&one_by_one);
    int all = open(getenv("SERAI_DISK_KEPT"), O_RDONLY); /* other processes wait, too: an older copy would win */
    if (all < 0 || flock(all, LOCK_EX)) die("copies");
    if (fstat(fd, &what)) die(path);
    if (S_ISDIR(what.st_mode)) forget_removed(path);
    else keep(path);
    close(all);
    pthread_mutex_unlock(&one_by_one);
    return 0;
}

int fsync(int fd) { return flushed(fd); }
int fdatasync(int fd) { return flushed(fd); }
"""


class Disk:
    """One folder, and what of it would be left if the power failed now."""

    def __init__(self, place: Path, folder: Path | None = None) -> None:
        """``folder``: one that is there already, and flushed."""
        self.folder = folder or place / "disk"
        self._kept = place / "flushed"
        self._library = place / "disk.so"
        if folder is None:
            self.folder.mkdir(parents=True)
        _copy(self.folder, self._kept)
        command = ["cc", "-shared", "-fPIC", "-O1", "-o", str(self._library), "-x", "c", "-", "-ldl", "-lpthread"]
        subprocess.run(command, input=_SOURCE, text=True, check=True)

    @property
    def environment(self) -> dict[str, str]:
        """Of a server that writes to it."""
        return {
            "LD_PRELOAD": str(self._library),
            "SERAI_DISK": str(self.folder.resolve()),
            "SERAI_DISK_KEPT": str(self._kept.resolve()),
        }

    def fail(self) -> int:
        """Let the power fail, after the server has been killed; how many bytes are lost."""
        lost = 0
        for file in self.folder.rglob("*"):
            copy = self._kept / file.relative_to(self.folder)
            if file.is_file() and not (copy.is_file() and filecmp.cmp(file, copy, shallow=False)):
                lost += file.stat().st_size
        shutil.rmtree(self.folder)
        _copy(self._kept, self.folder)
        return lost


def _copy(what: Path, there: Path) -> None:
    """A folder with its owners and rights."""
    subprocess.run(["cp", "--archive", str(what), str(there)], check=True)


class PowerlessCluster(Cluster):
    """A PostgreSQL on a disk that forgets: whenever it stops, the power has failed."""

    def __init__(self, *settings: str) -> None:
        super().__init__(initdb=("--wal-segsize=1",), settings=settings)
        self.disk = Disk(self.folder, self._data)
        self.lost = 0
        """Bytes."""
        if self._as:
            for path in (self.folder, *self.folder.rglob("*")):
                os.chown(path, self._as["user"], self._as["group"])
        self._environment = self.disk.environment

    def stop(self) -> None:
        if self._server is None:
            return
        workers = [int(one) for one in Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()]
        for pid in (self.pid, *workers):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._server.wait(30)
        self._server = None
        wait_until(lambda: not any(_lives(pid) for pid in workers))
        self.lost += self.disk.fail()
        (self._data / "postmaster.pid").unlink(missing_ok=True)


def _lives(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False
