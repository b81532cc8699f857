/* Limits by options, for suites that make a search themselves. */
#ifndef IRL_TEST_SEARCH_LIMIT_H
#define IRL_TEST_SEARCH_LIMIT_H

#include "base/limit.h"

static inline irl_limit make_limit(const irl_env *env, const irl_options *options) {
  irl_limit limit;
  irl_limit_init(&limit, env, options);
  return limit;
}
#define LIMIT_OF(env, options) ((irl_limit[]){make_limit(env, options)})

#endif
