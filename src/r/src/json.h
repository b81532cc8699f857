/* JSON of the library as R values. */
#ifndef JSON_H
#define JSON_H

#include "job.h"

/* A JSON text as R values: objects as named lists, arrays of texts or numbers as vectors, others as
 * lists; null is NA in vectors and NULL in lists. What is no JSON ends in an R error. */
SEXP json_to_r(job *j, const char *text);

#endif
