/* tensorboard/tests/logwork.c - a program that writes a log, whose system calls test_faults.py makes fail.
 *
 *     logwork FOLDER FIGURE [MOST_BYTES]
 *
 * Prints the file's path, then the name of every function that succeeded, and the message of every one that failed.
 * Between two calls of access on MARK only the library works. MOST_BYTES is the most that the system writes or reads
 * at once. Exit code 0; 4 if a descriptor was left open.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <heed/heed.h>
#include <heed/tensorboard.h>

#define MARK "/heed-iofault-mark"

static size_t most_bytes = SIZE_MAX;

/* These functions replace the C library's, so heed's calls come here. */
ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at)
{
    return syscall(SYS_pwrite64, fd, bytes, size < most_bytes ? size : most_bytes, at);
}

ssize_t read(int fd, void *bytes, size_t size)
{
    return syscall(SYS_read, fd, bytes, size < most_bytes ? size : most_bytes);
}

static int count_descriptors(void)
{
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (folder && readdir(folder))
        count++;
    if (folder)
        (void)closedir(folder);
    return count;
}

static char output[8192];
static size_t used;

static void append_status(const char *name, heed_status status)
{
    used +=
        (size_t)snprintf(output + used, sizeof output - used, "%s\n", status == HEED_OK ? name : heed_error_message());
    heed_error_clear();
}

static void work(const char *folder, const char *figure, heed_tensor *x)
{
    heed_tensorboard *log = heed_tensorboard_open(folder, NULL);
    append_status("open", heed_error_code());
    if (!log)
        return;
    used += (size_t)snprintf(output + used, sizeof output - used, "path %s\n", heed_tensorboard_path(log));
    append_status("event", heed_tensorboard_scalar(log, "a", 1, 1));
    append_status("event", heed_tensorboard_histogram(log, "a", 1, x));
    append_status("event", heed_tensorboard_image(log, "a", 1, x));
    append_status("event", heed_tensorboard_figure(log, "a", 1, figure));
    append_status("event", heed_tensorboard_text(log, "a", 1, "text"));
    append_status("flush", heed_tensorboard_flush(log));
    append_status("close", heed_tensorboard_close(log));
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    if (argc > 3)
        most_bytes = strtoul(argv[3], NULL, 10);
    heed_tensor *x = heed_eye(HEED_F32, 3, 3);
    const int before = count_descriptors();
    (void)access(MARK, F_OK);
    work(argv[1], argv[2], x);
    (void)access(MARK, F_OK);
    (void)fputs(output, stdout);
    return count_descriptors() == before ? 0 : 4;
}
