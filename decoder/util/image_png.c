/* SPDX-License-Identifier: BSD-3-Clause */
/* librsvg needs some forty libraries and is used only here, so it is loaded late. */
#include "image_png.h"

#include "late_library.h"

#include "src/core/base/log.h"

#include <cairo.h>
#include <librsvg/rsvg.h>

#define LIBRARY "librsvg-2.so.2"
#define SCALE   2

/* Functions of librsvg and the libraries that it needs. */
#define FUNCTIONS(of)                                                                                        \
    of(rsvg_handle_new_from_data) of(rsvg_handle_get_intrinsic_size_in_pixels)                               \
        of(rsvg_handle_render_document) of(cairo_image_surface_create) of(cairo_surface_write_to_png_stream) \
            of(cairo_surface_destroy) of(cairo_create) of(cairo_destroy) of(g_error_free) of(g_object_unref)

struct library {
    FUNCTIONS(LATE_POINTER)
};

static const char *const functions[] = {FUNCTIONS(LATE_NAME)};

static enum refrain_status failed(const struct library *l, GError *error)
{
    log_error("cannot draw the picture: %s", error ? error->message : "it has no size");
    if (error)
        l->call_g_error_free(error);
    return REFRAIN_ERR_IO;
}

static cairo_status_t put(void *context, const unsigned char *data, unsigned n)
{
    struct bytes *out = context;
    bytes_put(out, data, n);
    return out->failed ? CAIRO_STATUS_NO_MEMORY : CAIRO_STATUS_SUCCESS;
}

static enum refrain_status render(const struct library *l, RsvgHandle *handle, double width, double height,
                                  struct bytes *out)
{
    const RsvgRectangle page = {0, 0, width * SCALE, height * SCALE};
    cairo_surface_t *surface =
        l->call_cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)page.width, (int)page.height);
    cairo_t *cairo = l->call_cairo_create(surface);
    GError *error = NULL;
    enum refrain_status status = REFRAIN_OK;
    if (!l->call_rsvg_handle_render_document(handle, cairo, &page, &error)) {
        status = failed(l, error);
    } else if (l->call_cairo_surface_write_to_png_stream(surface, put, out) != CAIRO_STATUS_SUCCESS) {
        log_error("out of memory: a picture of %d x %d pixels", (int)page.width, (int)page.height);
        status = REFRAIN_ERR_MEMORY;
    }
    l->call_cairo_destroy(cairo);
    l->call_cairo_surface_destroy(surface);
    return status;
}

enum refrain_status image_png_of_svg(const struct bytes *svg, struct bytes *out)
{
    struct library l;
    GError *error = NULL;
    double width, height;
    enum refrain_status status = late_library_open(LIBRARY, functions, sizeof functions / sizeof *functions,
                                                   "no PNG without librsvg", &l);
    if (status != REFRAIN_OK)
        return status;
    RsvgHandle *handle = l.call_rsvg_handle_new_from_data(svg->data, svg->n, &error);
    if (!handle)
        return failed(&l, error);
    if (l.call_rsvg_handle_get_intrinsic_size_in_pixels(handle, &width, &height))
        status = render(&l, handle, width, height, out);
    else
        status = failed(&l, NULL);
    l.call_g_object_unref(handle);
    return status;
}
