decoder_libdecoder_a_SOURCES += \
    decoder/stat/site_sum.c \
    decoder/stat/site_sum.h \
    decoder/stat/statistics.c \
    decoder/stat/statistics.h
