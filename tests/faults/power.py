"""A disk that forgets: of a folder's files only what was flushed to it is there once the power fails.

A small library, compiled when it is needed and loaded before a server's others (``LD_PRELOAD``), stands between the
server and the system. Whenever a file in the folder is flushed (``fsync``, ``fdatasync``), it keeps a copy of it as it
is then; whenever the folder is, it forgets copies of files that are not there any more. When the server has been
killed, :meth:`Disk.fail` puts the copies in the place of the files: whatever was written and never flushed is gone, as
on a disk that had kept it in memory. Every write is lost that may be lost, which is more than real disks lose.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

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

static void kept(char *place, const char *name) {
    snprintf(place, PATH_MAX, "%s/%s", getenv("SERAI_DISK_KEPT"), name);
}

static void keep(const char *path) {
    static char bytes[1 << 20];
    char place[PATH_MAX], part[PATH_MAX];
    kept(place, strrchr(path, '/') + 1);
    kept(part, ".part");
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
    DIR *copies = opendir(getenv("SERAI_DISK_KEPT"));
    if (!copies) die("copies");
    for (struct dirent *one; (one = readdir(copies));) {
        if (one->d_name[0] == '.') continue;
        snprintf(there, sizeof there, "%s/%s", folder, one->d_name);
        kept(place, one->d_name);
        if (access(there, F_OK)) unlink(place);
    }
    closedir(copies);
}

static int flushed(int fd) {
    char path[PATH_MAX];
    struct stat what;
    if (!ours(fd, path)) return 0;
    pthread_mutex_lock(&one_by_one);
    if (fstat(fd, &what)) die(path);
    if (S_ISDIR(what.st_mode)) forget_removed(path);
    else keep(path);
    pthread_mutex_unlock(&one_by_one);
    return 0;
}

int fsync(int fd) { return flushed(fd); }
int fdatasync(int fd) { return flushed(fd); }
"""


class Disk:
    """One folder, and what of it would be left if the power failed now."""

    def __init__(self, place: Path) -> None:
        self.folder = place / "disk"
        self._kept = place / "flushed"
        self._library = place / "disk.so"
        for folder in (self.folder, self._kept):
            folder.mkdir(parents=True)
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
        before = sum(file.stat().st_size for file in self.folder.iterdir())
        shutil.rmtree(self.folder)
        self.folder.mkdir()
        for file in self._kept.iterdir():
            if not file.name.startswith("."):
                shutil.copy(file, self.folder)
        return before - sum(file.stat().st_size for file in self.folder.iterdir())
