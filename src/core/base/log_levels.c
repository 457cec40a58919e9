/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of REFRAIN_LOG:
 *
 *     value   clause [; clause …]
 *     clause  [domain [, domain …] :] level        without domains: all of them
 */
#include "log.h"

#include <stddef.h>
#include <string.h>

static const char *const level_names[] = {[LOG_ERROR] = "error",
                                          [LOG_WARNING] = "warning",
                                          [LOG_NOTICE] = "notice",
                                          [LOG_INFO] = "info",
                                          [LOG_DEBUG] = "debug"};

static const char *const domain_names[LOG_DOMAINS] = {
    [LOG_GENERAL] = "",      [LOG_LAUNCH] = "launch", [LOG_CLOCK] = "clock",
    [LOG_ENDING] = "ending", [LOG_MERGE] = "merge",   [LOG_MATCH] = "match"};

const char *log_domain_name(enum log_domain domain)
{
    return domain_names[domain];
}

/* Find the name that consists of these n bytes; `count` if there is none. */
static size_t find(const char *const *names, size_t count, const char *text, size_t n)
{
    size_t i = 0;
    while (i < count && (strlen(names[i]) != n || memcmp(names[i], text, n) != 0))
        i++;
    return i;
}

/* Parse a list of domains into a bit for each; 0 if one does not exist. */
static unsigned parse_domains(const char *text, size_t n)
{
    unsigned domains = 0;
    for (const char *end = text + n;; text++) {
        const char *comma = memchr(text, ',', (size_t)(end - text));
        const size_t length = (size_t)((comma ? comma : end) - text);
        const size_t domain = length > 0 ? find(domain_names, LOG_DOMAINS, text, length) : LOG_DOMAINS;
        if (domain == LOG_DOMAINS)
            return 0;
        domains |= 1u << domain;
        text += length;
        if (!comma)
            return domains;
    }
}

static bool parse_clause(const char *text, size_t n, struct log_levels *levels)
{
    const char *colon = memchr(text, ':', n);
    const size_t before = colon ? (size_t)(colon - text) + 1 : 0;
    const unsigned domains = colon ? parse_domains(text, before - 1) : (1u << LOG_DOMAINS) - 1;
    const size_t count = sizeof level_names / sizeof level_names[0];
    const size_t level = find(level_names, count, text + before, n - before);
    if (domains == 0 || level == count)
        return false;
    for (unsigned d = 0; d < LOG_DOMAINS; d++) {
        if (domains & 1u << d)
            levels->of[d] = (enum log_level)level;
    }
    return true;
}

bool log_levels_parse(const char *text, struct log_levels *out)
{
    struct log_levels levels;
    for (unsigned d = 0; d < LOG_DOMAINS; d++)
        levels.of[d] = LOG_NOTICE;
    for (;; text++) {
        const size_t n = strcspn(text, ";");
        if (!parse_clause(text, n, &levels))
            return false;
        text += n;
        if (!*text)
            break;
    }
    *out = levels;
    return true;
}
