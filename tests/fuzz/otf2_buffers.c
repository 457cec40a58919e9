/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes archives with the smallest buffers that the library allows, for fuzzing (linked with
 * --wrap=OTF2_Archive_Open). The library clears 5 MiB of buffers for each lane, which would take
 * most of the time. */
#include <otf2/otf2.h>

OTF2_Archive *__real_OTF2_Archive_Open(const char *path, const char *name, OTF2_FileMode mode,
                                       uint64_t events, uint64_t definitions, OTF2_FileSubstrate substrate,
                                       OTF2_Compression compression);
OTF2_Archive *__wrap_OTF2_Archive_Open(const char *path, const char *name, OTF2_FileMode mode,
                                       uint64_t events, uint64_t definitions, OTF2_FileSubstrate substrate,
                                       OTF2_Compression compression);

OTF2_Archive *__wrap_OTF2_Archive_Open(const char *path, const char *name, OTF2_FileMode mode,
                                       uint64_t events, uint64_t definitions, OTF2_FileSubstrate substrate,
                                       OTF2_Compression compression)
{
    (void)events, (void)definitions;
    return __real_OTF2_Archive_Open(path, name, mode, OTF2_CHUNK_SIZE_MIN, OTF2_CHUNK_SIZE_MIN, substrate,
                                    compression);
}
