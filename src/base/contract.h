/* What public functions ask of their arguments before anything else, and structs that begin with
 * their size: those of a caller may be shorter or longer than this library's. */
#ifndef IRL_BASE_CONTRACT_H
#define IRL_BASE_CONTRACT_H

#include "base/env.h"

/* Ends the function, with a sentence that names it, if one of these pointers is NULL; `names` are
 * those of the header, as "env, rule, data". */
#define IRL_NEED(env, names, ...)                                                                  \
  do {                                                                                             \
    const void *const needed[] = {__VA_ARGS__};                                                    \
    const irl_status is_given = irl_need(env, names, needed, sizeof needed / sizeof *needed);      \
    if (is_given) return is_given;                                                                 \
  } while (0)
#define IRL_NEED_FORMAT(env, format)                                                               \
  do {                                                                                             \
    if ((unsigned)(format) > IRL_FORMAT_JSON) return irl_fail_format(env, (int)(format));          \
  } while (0)

irl_status irl_need(irl_env *env, const char *names, const void *const *pointers, size_t n);
irl_status irl_fail_format(irl_env *env, int format);

/* The size that the caller has set: neither too small to hold anything nor such as memory that was
 * never set would have it. */
bool irl_sized_is_set(const void *theirs);
/* irl_sized_is_set, or a sentence that names the argument. */
irl_status irl_sized_need(irl_env *env, const void *theirs, const char *argument);
/* Hands `ours`, of `size` bytes, out to the caller: no more of it than theirs can hold, and their
 * size stays. */
irl_status irl_sized_copy_out(void *theirs, const void *ours, size_t size);
/* Takes what the caller has of it; the rest of `ours` is 0. `theirs` must have a size. */
void irl_sized_copy_in(const void *theirs, void *ours, size_t size);

#endif
