/* SPDX-License-Identifier: BSD-3-Clause */
#include "part_file.h"

#include <stdlib.h>
#include <string.h>

#include "src/core/base/log.h"
#include "src/core/base/section.h"
#include "src/core/codec/codec.h"

static bool is_part_of(uint32_t rank, const struct trace *t)
{
    return t->n_ranks == 1 && t->first_rank == rank && !t->annex.apart;
}

enum refrain_status part_file_open(struct part_file *p, const char *path, uint32_t rank)
{
    struct part_file part = {.path = strdup(path)};
    if (!part.path) {
        log_error("out of memory: the part %s", path);
        return REFRAIN_ERR_MEMORY;
    }
    enum refrain_status status = file_content_open(&part.content, path, SECTION_MAGIC);
    if (!status)
        status = codec_decode(path, part.content.data, part.content.n, &part.trace, NULL);
    if (!status && !is_part_of(rank, &part.trace)) {
        log_error("%s is not the part of rank %" PRIu32, path, rank);
        status = REFRAIN_ERR_FORMAT;
    }
    if (status) {
        part_file_close(&part);
        return status;
    }
    part.annex = (const uint8_t *)part.content.data + (part.content.n - part.trace.annex.length);
    *p = part;
    return REFRAIN_OK;
}

enum refrain_status part_file_check_annex(const struct part_file *p)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < p->trace.annex.pieces.n && !status; i++)
        status = annex_check_piece(p->path, &p->trace.annex.pieces.items[i], p->annex);
    return status;
}

void part_file_close(struct part_file *p)
{
    free(p->path);
    trace_free(&p->trace);
    file_content_close(&p->content);
    *p = (struct part_file){0};
}
