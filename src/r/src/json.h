/* JSON of the library as R values. */
#ifndef JSON_H
#define JSON_H

#include <Rinternals.h>

/* A JSON text as R values: objects as named lists, arrays of texts or numbers as vectors, others as
 * lists; null is NA in vectors and NULL in lists. NULL: it is no JSON. */
SEXP json_to_r(const char *text);

#endif
