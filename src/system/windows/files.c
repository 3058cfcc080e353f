/* system/windows/files.c - files and folders, by CreateFileW and related calls, wrapped in descriptors of the C
 * library. As on other systems, others may rename and remove open files: FILE_SHARE_DELETE.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "system/windows/handle.h"

#include "system/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#define SHARED (FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)
#define MOST ((size_t)1 << 30) /* bytes per call */
#define SECONDS_TO_1970 INT64_C(11644473600)

/* -- Windows errors as errno --------------------------------------------------------------------------------------- */

static const struct {
    DWORD error;
    int number;
} meanings[] = {
    {ERROR_FILE_NOT_FOUND, ENOENT},
    {ERROR_PATH_NOT_FOUND, ENOENT},
    {ERROR_INVALID_DRIVE, ENOENT},
    {ERROR_BAD_NETPATH, ENOENT},
    {ERROR_BAD_NET_NAME, ENOENT},
    {ERROR_ACCESS_DENIED, EACCES},
    {ERROR_SHARING_VIOLATION, EACCES},
    {ERROR_LOCK_VIOLATION, EACCES},
    {ERROR_WRITE_PROTECT, EROFS},
    {ERROR_FILE_EXISTS, EEXIST},
    {ERROR_ALREADY_EXISTS, EEXIST},
    {ERROR_DIRECTORY, ENOTDIR},
    {ERROR_INVALID_NAME, EINVAL},
    {ERROR_INVALID_PARAMETER, EINVAL},
    {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
    {ERROR_BUFFER_OVERFLOW, ENAMETOOLONG},
    {ERROR_NO_UNICODE_TRANSLATION, EILSEQ},
    {ERROR_TOO_MANY_OPEN_FILES, EMFILE},
    {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
    {ERROR_OUTOFMEMORY, ENOMEM},
    {ERROR_DISK_FULL, ENOSPC},
    {ERROR_HANDLE_DISK_FULL, ENOSPC},
};

/* Sets errno to the equivalent of a Windows error. Always returns 0, for false. */
static int errno_of(DWORD error)
{
    errno = EIO;
    for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++)
        if (meanings[i].error == error)
            errno = meanings[i].number;
    return 0;
}

/* -- Paths in UTF-16 ----------------------------------------------------------------------------------------------- */

static bool is_relative(const char *path)
{
    return *path != '/' && *path != '\\' && !(*path && path[1] == ':');
}

/* Returns the length of a folder's path followed by a separator, and writes it if it fits `capacity` units; returns 0
 * with errno on failure. */
static DWORD write_folder(int folder, wchar_t *to, DWORD capacity)
{
    const DWORD n = GetFinalPathNameByHandleW(heed__handle(folder), to, capacity, FILE_NAME_NORMALIZED);
    if (n == 0)
        return (DWORD)errno_of(GetLastError());
    if (n < capacity)
        to[n] = L'\\';
    return n + 1;
}

/* A folder's path begins with \\?\. In such paths only '\' separates, and "." is a name like any other. */
static wchar_t *path_in(int folder, const char *path, int length)
{
    const DWORD before =
        write_folder(folder, NULL, 0) + 1; /* the length includes a NUL only if `capacity` is too small */
    wchar_t *wide = before > 1 ? malloc((before + (DWORD)length) * sizeof *wide) : NULL;
    const DWORD begin = wide ? write_folder(folder, wide, before) : 0;
    if (begin == 0 || begin > before) {
        errno = wide || before == 1 ? errno : ENOMEM;
        free(wide);
        return NULL;
    }
    (void)MultiByteToWideChar(CP_UTF8, 0, path, -1, wide + begin, length);
    for (wchar_t *at = wide + begin; *at; at++)
        if (*at == L'/')
            *at = L'\\';
    if (strcmp(path, ".") == 0)
        wide[begin] = L'\0';
    return wide;
}

/* Returns the path from a folder, to be freed with free(), or NULL with errno. */
static wchar_t *wide_path(int folder, const char *path)
{
    const int length = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, NULL, 0); /* with the NUL */
    if (length == 0) {
        (void)errno_of(GetLastError());
        return NULL;
    }
    if (folder >= 0 && is_relative(path))
        return path_in(folder, path, length);
    wchar_t *wide = malloc((size_t)length * sizeof *wide);
    if (!wide) {
        errno = ENOMEM;
        return NULL;
    }
    (void)MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, length);
    return wide;
}

/* -- Opening ------------------------------------------------------------------------------------------------------- */

/* Returns a descriptor for a handle, or -1 with errno, also for INVALID_HANDLE_VALUE; then the handle is closed. */
static int descriptor_of(HANDLE handle)
{
    if (handle == INVALID_HANDLE_VALUE) {
        (void)errno_of(GetLastError());
        return -1;
    }
    const int fd = _open_osfhandle((intptr_t)handle, _O_BINARY | _O_NOINHERIT);
    if (fd < 0) {
        CloseHandle(handle);
        errno = EMFILE;
    }
    return fd;
}

static HANDLE create_file(int folder, const char *path, DWORD access, DWORD how, DWORD flags)
{
    wchar_t *wide = wide_path(folder, path);
    if (!wide)
        return INVALID_HANDLE_VALUE;
    HANDLE handle = CreateFileW(wide, access, SHARED, NULL, how, flags, NULL);
    if (handle == INVALID_HANDLE_VALUE)
        (void)errno_of(GetLastError());
    free(wide);
    return handle;
}

static int descriptor_or_errno(HANDLE handle)
{
    return handle == INVALID_HANDLE_VALUE ? -1 : descriptor_of(handle);
}

/* Opens an existing file or folder by CreateFileW, with full sharing. Returns -1 with errno on failure. */
static int open_existing(int folder, const char *path, DWORD access, DWORD flags)
{
    return descriptor_or_errno(create_file(folder, path, access, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | flags));
}

int heed__open_path(int folder, const char *path)
{
    return open_existing(folder, path, GENERIC_READ, 0);
}

int heed__open_name(int folder, const char *name)
{
    return open_existing(folder, name, GENERIC_READ, FILE_FLAG_OPEN_REPARSE_POINT);
}

int heed__make_file(int folder, const char *name, unsigned mode)
{
    (void)mode;
    return descriptor_or_errno(create_file(folder, name, GENERIC_WRITE, CREATE_NEW, FILE_ATTRIBUTE_NORMAL));
}

int heed__open_again(int fd)
{
    HANDLE again = INVALID_HANDLE_VALUE, process = GetCurrentProcess();
    (void)DuplicateHandle(process, heed__handle(fd), process, &again, 0, FALSE, DUPLICATE_SAME_ACCESS);
    return descriptor_of(again);
}

bool heed__close(int fd)
{
    return _close(fd) == 0;
}

/* -- Facts --------------------------------------------------------------------------------------------------------- */

/* True if the handle is open on a link itself. */
static bool is_link(HANDLE handle)
{
    FILE_ATTRIBUTE_TAG_INFO tag;
    return GetFileInformationByHandleEx(handle, FileAttributeTagInfo, &tag, sizeof tag) &&
           (tag.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) && IsReparseTagNameSurrogate(tag.ReparseTag);
}

static uint64_t joined(DWORD high, DWORD low)
{
    return (uint64_t)high << 32 | low;
}

static bool facts_of_handle(HANDLE handle, heed__file_facts *facts)
{
    BY_HANDLE_FILE_INFORMATION of;
    FILE_STANDARD_INFO standard;
    *facts = (heed__file_facts){.kind = HEED_NO_FILE, .links = 1};
    if (GetFileType(handle) != FILE_TYPE_DISK)
        return true;
    if (!GetFileInformationByHandle(handle, &of) ||
        !GetFileInformationByHandleEx(handle, FileStandardInfo, &standard, sizeof standard))
        return errno_of(GetLastError());
    const uint64_t time = joined(of.ftLastWriteTime.dwHighDateTime, of.ftLastWriteTime.dwLowDateTime);
    if (!is_link(handle))
        facts->kind = of.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY ? HEED_FOLDER : HEED_REGULAR;
    facts->size = (int64_t)joined(of.nFileSizeHigh, of.nFileSizeLow);
    facts->changed = (int64_t)(time / 10000000) - SECONDS_TO_1970;
    facts->changed_ns = (int64_t)(time % 10000000) * 100;
    facts->device = of.dwVolumeSerialNumber;
    facts->number = joined(of.nFileIndexHigh, of.nFileIndexLow);
    facts->links = standard.DeletePending ? 0 : of.nNumberOfLinks;
    return true;
}

bool heed__facts(int fd, heed__file_facts *facts)
{
    return facts_of_handle(heed__handle(fd), facts);
}

static bool facts_of(int folder, const char *path, DWORD flags, heed__file_facts *facts)
{
    HANDLE handle = create_file(folder, path, FILE_READ_ATTRIBUTES, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | flags);
    if (handle == INVALID_HANDLE_VALUE)
        return false;
    const bool ok = facts_of_handle(handle, facts);
    CloseHandle(handle);
    return ok;
}

bool heed__facts_of_path(int folder, const char *path, heed__file_facts *facts)
{
    return facts_of(folder, path, 0, facts);
}

bool heed__facts_of_name(int folder, const char *name, heed__file_facts *facts)
{
    return facts_of(folder, name, FILE_FLAG_OPEN_REPARSE_POINT, facts);
}

/* Does not read links: sets ENOTSUP for a link or any other special file, EINVAL for regular files and folders. */
int64_t heed__read_link(int folder, const char *name, char *to, size_t size)
{
    heed__file_facts facts;
    (void)to;
    (void)size;
    if (heed__facts_of_name(folder, name, &facts))
        errno = facts.kind == HEED_NO_FILE ? ENOTSUP : EINVAL;
    return -1;
}

/* -- Reading and writing ------------------------------------------------------------------------------------------- */

static int64_t read_from(int fd, void *to, size_t size, OVERLAPPED *from)
{
    DWORD n = 0;
    if (ReadFile(heed__handle(fd), to, (DWORD)(size < MOST ? size : MOST), &n, from))
        return n;
    const DWORD error = GetLastError();
    if (error == ERROR_HANDLE_EOF || error == ERROR_BROKEN_PIPE)
        return 0;
    (void)errno_of(error);
    return -1;
}

int64_t heed__read(int fd, void *to, size_t size)
{
    return read_from(fd, to, size, NULL);
}

int64_t heed__read_at(int fd, void *to, size_t size, size_t offset)
{
    OVERLAPPED from = {.Offset = (DWORD)offset, .OffsetHigh = (DWORD)((uint64_t)offset >> 32)};
    return read_from(fd, to, size, &from);
}

bool heed__write_whole(int fd, const void *bytes, size_t size)
{
    DWORD n;
    for (const char *at = bytes; size > 0; at += n, size -= n)
        if (!WriteFile(heed__handle(fd), at, (DWORD)(size < MOST ? size : MOST), &n, NULL))
            return errno_of(GetLastError());
    return true;
}

/* A new file has the permissions that its folder sets. */
void heed__set_mode(int fd, unsigned mode)
{
    (void)fd;
    (void)mode;
}

bool heed__sync(int fd)
{
    return FlushFileBuffers(heed__handle(fd)) || errno_of(GetLastError());
}

/* -- Names --------------------------------------------------------------------------------------------------------- */

/* Windows refuses to replace a file that another process has open, for example a virus scanner. Such files are usually
 * closed soon, so this retries for about 500 ms. */
static bool move_file(const wchar_t *from, const wchar_t *to)
{
    for (int i = 0;; i++) {
        if (MoveFileExW(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH))
            return true;
        const DWORD error = GetLastError();
        if (i == 500 || (error != ERROR_ACCESS_DENIED && error != ERROR_SHARING_VIOLATION))
            return errno_of(error);
        Sleep(1);
    }
}

bool heed__rename(int folder, const char *from, const char *to)
{
    wchar_t *wide_from = wide_path(folder, from), *wide_to = wide_from ? wide_path(folder, to) : NULL;
    const bool renamed = wide_to && move_file(wide_from, wide_to);
    const int cause = errno;
    free(wide_from);
    free(wide_to);
    errno = cause;
    return renamed;
}

bool heed__remove(int folder, const char *name)
{
    wchar_t *wide = wide_path(folder, name);
    const bool removed = wide && (DeleteFileW(wide) || errno_of(GetLastError()));
    const int cause = errno;
    free(wide);
    errno = cause;
    return removed;
}

/* The separators are '\', '/' and the ':' of a drive. */
const char *heed__name_in(const char *path)
{
    const char *name = path;
    for (const char *at = path; *at; at++)
        if (*at == '/' || *at == '\\' || (*at == ':' && at == path + 1))
            name = at + 1;
    return name;
}

/* -- Folders, by FindFirstFileW and related calls ------------------------------------------------------------------ */

struct heed__listing {
    int folder;
    HANDLE find; /* INVALID_HANDLE_VALUE before the first name */
    WIN32_FIND_DATAW found;
    char name[HEED_NAME_MAX + 1];
};

static int open_folder(int at, const char *path, DWORD access)
{
    heed__file_facts facts;
    const int fd = open_existing(at, path, access, 0);
    if (fd < 0 || (heed__facts(fd, &facts) && facts.kind == HEED_FOLDER))
        return fd;
    (void)heed__close(fd);
    errno = ENOTDIR;
    return -1;
}

int heed__open_folder(int at, const char *path)
{
    return open_folder(at, path, FILE_LIST_DIRECTORY | FILE_READ_ATTRIBUTES);
}

int heed__open_to_search(int at, const char *path)
{
    return open_folder(at, path, FILE_READ_ATTRIBUTES);
}

heed__listing *heed__list(int folder)
{
    heed__listing *list = malloc(sizeof *list);
    if (list) {
        list->folder = folder;
        list->find = INVALID_HANDLE_VALUE;
    } else {
        errno = ENOMEM;
    }
    return list;
}

int heed__list_folder(heed__listing *list)
{
    return list->folder;
}

void heed__list_again(heed__listing *list)
{
    if (list->find != INVALID_HANDLE_VALUE)
        FindClose(list->find);
    list->find = INVALID_HANDLE_VALUE;
}

void heed__list_end(heed__listing *list)
{
    heed__list_again(list);
    (void)heed__close(list->folder);
    free(list);
}

/* Returns 0 and sets a Windows error if there is no further name. */
static BOOL find_next(heed__listing *list)
{
    if (list->find != INVALID_HANDLE_VALUE)
        return FindNextFileW(list->find, &list->found);
    wchar_t *all = wide_path(list->folder, "*");
    list->find = all ? FindFirstFileW(all, &list->found) : INVALID_HANDLE_VALUE;
    const DWORD error = all ? GetLastError() : ERROR_NOT_ENOUGH_MEMORY;
    free(all);
    SetLastError(error);
    return list->find != INVALID_HANDLE_VALUE;
}

const char *heed__list_next(heed__listing *list)
{
    errno = 0;
    if (find_next(list)) {
        (void)WideCharToMultiByte(CP_UTF8, 0, list->found.cFileName, -1, list->name, sizeof list->name, NULL, NULL);
        return list->name;
    }
    const DWORD error = GetLastError();
    if (error != ERROR_NO_MORE_FILES && error != ERROR_FILE_NOT_FOUND)
        (void)errno_of(error);
    return NULL;
}

/* -- Locks --------------------------------------------------------------------------------------------------------- */

/* LockFileEx locks one byte far after the end of any file, because other processes cannot read locked bytes. Folders
 * cannot be locked. */
int heed__lock_file(int fd, heed__file_lock how)
{
    const DWORD exclusive = how == HEED_LOCK_EXCLUSIVE ? LOCKFILE_EXCLUSIVE_LOCK : 0;
    OVERLAPPED at = {.OffsetHigh = 0x7fffffff};
    if (how == HEED_UNLOCK ? UnlockFileEx(heed__handle(fd), 0, 1, 0, &at)
                           : LockFileEx(heed__handle(fd), LOCKFILE_FAIL_IMMEDIATELY | exclusive, 0, 1, 0, &at))
        return 0;
    const DWORD error = GetLastError();
    errno = error == ERROR_LOCK_VIOLATION || error == ERROR_IO_PENDING ? EWOULDBLOCK : ENOSYS;
    return -1;
}

/* -- Errors -------------------------------------------------------------------------------------------------------- */

const char *heed__error_text(int cause, char *buffer, size_t size)
{
    if (cause == ENOTSUP) /* unknown to this C library */
        return "Operation not supported";
    return strerror_s(buffer, size, cause) == 0 ? buffer : "";
}
