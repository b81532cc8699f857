/* The nearest name, for "did you mean": edit distance where a swap of neighbours counts as one, and
 * capitals are letters. */
#ifndef IRL_BASE_SUGGEST_H
#define IRL_BASE_SUGGEST_H

#include <stddef.h>

/* Between a text and a name; SIZE_MAX if more than half of the text is wrong, or if it is very
 * long.
 */
size_t irl_suggest_distance(const char *text, size_t length, const char *name);

#endif
