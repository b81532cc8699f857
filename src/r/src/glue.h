/* What the two files of the package's own C code share. */
#ifndef GLUE_H
#define GLUE_H

#include <Rinternals.h>

/* A JSON text as R values: objects as named lists, arrays of texts or numbers as vectors, others as
 * lists; null is NA in vectors and NULL in lists. NULL: it is no JSON. */
SEXP json_to_r(const char *text);

#endif
