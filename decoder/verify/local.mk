decoder_libdecoder_a_SOURCES += \
    decoder/verify/comparison.c \
    decoder/verify/comparison.h \
    decoder/verify/rawfile.c \
    decoder/verify/rawfile.h \
    decoder/verify/time_check.c \
    decoder/verify/time_check.h
