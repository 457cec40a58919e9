/* SPDX-License-Identifier: BSD-3-Clause */
#include "otf2_archive.h"

#include "src/core/base/log.h"

#include <dirent.h>
#include <ftw.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <otf2/OTF2_Pthread_Locks.h>

#define ANCHOR      "traces"
#define CHUNK_EVENT OTF2_CHUNK_SIZE_EVENTS_DEFAULT
#define CHUNK_DEFS  OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT

/* More bytes than the library uses at once for the files of a rank. */
#define MEMORY_KEPT (16 << 20)

/* ---- errors ---------------------------------------------------------------------------------- */

/* The library reports an error at each of its levels, the innermost first, and continues. The
 * first error is kept for the caller and reported once. */

static struct {
    pthread_mutex_t lock;
    char text[256]; /* empty: no error yet */
    bool told;
} failure = {.lock = PTHREAD_MUTEX_INITIALIZER};

static OTF2_ErrorCode keep_error(void *none, const char *file, uint64_t line, const char *function,
                                 OTF2_ErrorCode code, const char *format, va_list arguments)
{
    const char *cause = errno != 0 ? strerror(errno) : OTF2_Error_GetDescription(code);
    (void)none, (void)file, (void)line, (void)function;
    pthread_mutex_lock(&failure.lock);
    if (failure.text[0] == '\0') {
        char about[128];
        vsnprintf(about, sizeof about, format, arguments);
        snprintf(failure.text, sizeof failure.text, "%s (%s)", cause, about);
    }
    pthread_mutex_unlock(&failure.lock);
    return code;
}

static enum refrain_status tell(const char *fallback)
{
    pthread_mutex_lock(&failure.lock);
    const bool told = failure.told;
    failure.told = true;
    pthread_mutex_unlock(&failure.lock);
    if (!told)
        log_error("cannot write the OTF2 archive: %s", failure.text[0] ? failure.text : fallback);
    return REFRAIN_ERR_IO;
}

enum refrain_status otf2_check(OTF2_ErrorCode code)
{
    return code == OTF2_SUCCESS ? REFRAIN_OK : tell(OTF2_Error_GetDescription(code));
}

enum refrain_status otf2_check_closed(OTF2_ErrorCode code)
{
    const int cause = errno;
    const bool lost = cause == ENOSPC || cause == EDQUOT || cause == EFBIG || cause == EIO;
    return code == OTF2_SUCCESS && lost ? tell(strerror(cause)) : otf2_check(code);
}

enum refrain_status otf2_missing(void)
{
    return tell("libotf2 gives no reason");
}

/* ---- buffers --------------------------------------------------------------------------------- */

static OTF2_FlushType always_flush(void *none, OTF2_FileType type, OTF2_LocationRef location, void *caller,
                                   bool final)
{
    (void)none, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

/* Allocates the buffer's first chunk. A second one is refused, so the library writes the first one
 * to the file. */
static void *allocate(void *none, OTF2_FileType type, OTF2_LocationRef location, void **buffer, uint64_t size)
{
    (void)none, (void)type, (void)location;
    if (*buffer)
        return NULL;
    return *buffer = malloc(size);
}

static void free_all(void *none, OTF2_FileType type, OTF2_LocationRef location, void **buffer, bool final)
{
    (void)none, (void)type, (void)location, (void) final;
    free(*buffer);
    *buffer = NULL;
}

/* The library allocates and frees some MiB for each file. malloc keeps this memory for the next
 * file; otherwise the kernel would clear the pages for each rank again. */
static void keep_memory(void)
{
#ifdef M_TRIM_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, MEMORY_KEPT);
    mallopt(M_TRIM_THRESHOLD, MEMORY_KEPT);
#endif
}

/* ---- directories ----------------------------------------------------------------------------- */

static bool is_empty(const char *path)
{
    DIR *directory = opendir(path);
    const struct dirent *entry;
    bool empty = directory != NULL;
    while (empty && (entry = readdir(directory)))
        empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    if (directory)
        closedir(directory);
    return empty;
}

static enum refrain_status check_free(const char *path)
{
    struct stat info;
    if (lstat(path, &info) != 0) {
        if (errno == ENOENT)
            return REFRAIN_OK;
        log_error("%s: %m", path);
        return REFRAIN_ERR_IO;
    }
    if (S_ISDIR(info.st_mode) && is_empty(path))
        return REFRAIN_OK;
    log_error("%s exists already%s: choose a new directory", path,
              S_ISDIR(info.st_mode) ? " and is not empty" : " and is not a directory");
    return REFRAIN_ERR_USAGE;
}

/* Copies a path without slashes at its end. */
static char *plain_path(const char *path)
{
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    return strndup(path, n);
}

static enum refrain_status make_draft(struct otf2_archive *a, const char *path)
{
    a->path = plain_path(path);
    if (!a->path || asprintf(&a->draft, "%s.XXXXXX", a->path) < 0) {
        a->draft = NULL;
        log_error("out of memory: a path");
        return REFRAIN_ERR_MEMORY;
    }
    const enum refrain_status status = check_free(a->path);
    if (status != REFRAIN_OK)
        return status;
    const mode_t mask = umask(0);
    umask(mask);
    if (!mkdtemp(a->draft) || chmod(a->draft, 0777 & ~mask) != 0) {
        log_error("cannot create a directory next to %s: %m", a->path);
        return REFRAIN_ERR_IO;
    }
    return REFRAIN_OK;
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *where)
{
    (void)info, (void)type, (void)where;
    return remove(path);
}

/* ---- the archive ----------------------------------------------------------------------------- */

static enum refrain_status open_archive(struct otf2_archive *a)
{
    static const OTF2_FlushCallbacks flush = {.otf2_pre_flush = always_flush};
    static const OTF2_MemoryCallbacks memory = {allocate, free_all};
    OTF2_Error_RegisterCallback(keep_error, NULL);
    keep_memory();
    errno = 0;
    a->archive = OTF2_Archive_Open(a->draft, ANCHOR, OTF2_FILEMODE_WRITE, CHUNK_EVENT, CHUNK_DEFS,
                                   OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (!a->archive)
        return otf2_missing();
    enum refrain_status status = otf2_check(OTF2_Archive_SetFlushCallbacks(a->archive, &flush, NULL));
    if (status == REFRAIN_OK)
        status = otf2_check(OTF2_Archive_SetMemoryCallbacks(a->archive, &memory, NULL));
    if (status == REFRAIN_OK)
        status = otf2_check(OTF2_Archive_SetSerialCollectiveCallbacks(a->archive));
    if (status == REFRAIN_OK)
        status = otf2_check(OTF2_Pthread_Archive_SetLockingCallbacks(a->archive, NULL));
    if (status == REFRAIN_OK)
        status = otf2_check(OTF2_Archive_SetCreator(a->archive, "refrain " PACKAGE_VERSION));
    return status;
}

enum refrain_status otf2_archive_open(struct otf2_archive *a, const char *path)
{
    *a = (struct otf2_archive){0};
    failure.text[0] = '\0';
    failure.told = false;
    enum refrain_status status = make_draft(a, path);
    if (status == REFRAIN_OK && (status = open_archive(a)) != REFRAIN_OK) {
        otf2_archive_close(a, status);
    } else if (status != REFRAIN_OK) {
        free(a->draft);
        free(a->path);
    }
    return status;
}

enum refrain_status otf2_archive_close(struct otf2_archive *a, enum refrain_status status)
{
    if (status == REFRAIN_OK)
        status = OTF2_CLOSE(OTF2_Archive_Close(a->archive));
    else if (a->archive)
        OTF2_Archive_Close(a->archive); /* only to free its memory: an earlier error is reported */
    if (status == REFRAIN_OK && rename(a->draft, a->path) != 0) {
        log_error("cannot rename %s to %s: %m", a->draft, a->path);
        status = REFRAIN_ERR_IO;
    }
    if (status != REFRAIN_OK)
        nftw(a->draft, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    free(a->draft);
    free(a->path);
    *a = (struct otf2_archive){0};
    return status;
}
