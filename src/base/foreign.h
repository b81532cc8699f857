/* Formats that are not read here, known by their first bytes. */
#ifndef IRL_BASE_FOREIGN_H
#define IRL_BASE_FOREIGN_H

#include "base/file.h"

/* Bad input, with a sentence that says what the file is and what to do, if it is plainly of
 * another kind than any reader expects. */
irl_status irl_foreign_check(irl_env *env, const char *path, const irl_file *file);

#endif
