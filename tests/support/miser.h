/* An allocator that fails at the n-th request, jobs that meet it for n = 1, 2, ... until they
 * succeed, and what is asked of them: every failure is IRL_STATUS_NO_MEMORY and leaves no block,
 * and the environment is as good as new.
 *
 * IRL_MISER=1 fails every request; by default all of the first 200, then fewer and fewer. */
#ifndef MISER_H
#define MISER_H

#include "fuzzing.h"
#include "support.h"
#include <stdatomic.h>

/* Fails the n-th request and, if `stays_out`, all after it. Called by several threads. */
typedef struct miser {
  atomic_long requests, live;
  long fail_at;
  bool stays_out;
} miser;

/* Blocks are filled with rubbish and never grow in place: nobody may rely on zeros or on the old
 * address. Their size stands before them. */
enum { BEFORE = 16, MOST_RUBBISH = 1 << 16 };

static void *miserly_resize(void *user, void *memory, size_t size) {
  miser *m = user;
  char *old = memory ? (char *)memory - BEFORE : NULL;
  if (!size) {
    atomic_fetch_sub(&m->live, 1);
    free(old);
    return NULL;
  }
  const long number = atomic_fetch_add(&m->requests, 1) + 1;
  if (number == m->fail_at || (m->stays_out && number > m->fail_at)) return NULL;
  size_t had = 0;
  if (old) memcpy(&had, old, sizeof had);
  char *block = malloc(size + BEFORE);
  if (!block) abort();
  memcpy(block, &size, sizeof size);
  memset(block + BEFORE, 0xa5, size < MOST_RUBBISH ? size : MOST_RUBBISH);
  if (old) memcpy(block + BEFORE, memory, had < size ? had : size);
  if (!old) atomic_fetch_add(&m->live, 1);
  free(old);
  return block + BEFORE;
}

/* What a job works on, made beforehand without failures. */
typedef struct kit {
  irl_data *data;
  irl_rule *rule;
  const char *path;
  const char *settings; /* options of the job: "name value name value" */
} kit;

typedef irl_status job(irl_env *env, const kit *k);

static irl_env *calm; /* never fails */

/* The options that a kit names, until the next call. */
static inline irl_options settings_of(irl_env *env, const kit *k) {
  irl_options options = options_of(env, "threads", "1", NULL);
  static char text[300];
  char *rest = text;
  snprintf(text, sizeof text, "%s", k->settings ? k->settings : "");
  for (char *name; (name = strsep(&rest, " "));) {
    const char *value = strsep(&rest, " ");
    if (*name && irl_options_set(env, &options, name, value)) abort();
  }
  return options;
}

/* The next request that is to fail. */
static long next_request(long n) {
  enum { ALL = 200, SHARE = 15 };
  return n < ALL || getenv("IRL_MISER") ? n + 1 : n + n / SHARE;
}

TEST survives(job *run, const kit *k, bool stays_out) {
  static char message[300];
  long n = 1;
  irl_status status = IRL_STATUS_NO_MEMORY;
  enum { AGAIN = 16 }; /* after one failure of so many the job is done once more */
  for (; status && n < 1000000; n = next_request(n)) {
    miser m = {.fail_at = n, .stays_out = stays_out};
    const irl_allocator allocator = {sizeof allocator, miserly_resize, &m};
    irl_env *env = NULL;
    status = irl_env_create(&allocator, &env);
    if (!status) status = run(env, k);
    snprintf(message, sizeof message, "request %ld: %s, %s; %ld blocks are left", n,
             irl_status_text(status), env ? irl_env_error(env) : "", atomic_load(&m.live) - !!env);
    m.fail_at = -1;
    m.stays_out = false;
    if (env && status && n % AGAIN == 0 && run(env, k)) FAILm(irl_env_error(env));
    irl_env_free(env);
    if (status && status != IRL_STATUS_NO_MEMORY) FAILm(message);
    if (atomic_load(&m.live)) FAILm(message);
  }
  if (status) FAILm(message);
  ASSERT_LTm("the allocator was not asked", 1l, n);
  PASS();
}

TEST survives_both(job *run, const kit *k) {
  CHECK_CALL(survives(run, k, false));
  CHECK_CALL(survives(run, k, true));
  PASS();
}

static void free_kit(kit *k) {
  irl_data_free(k->data);
  irl_rule_free(k->rule);
}

/* A job with these settings on planted data. */
static inline enum greatest_test_res survives_on(job *run, const char *settings,
                                                 const irl_options *planted) {
  kit k = {.settings = settings};
  ASSERT_EQ(IRL_STATUS_OK, irl_generate(calm, planted, &k.data, &k.rule));
  CHECK_CALL(survives_both(run, &k));
  free_kit(&k);
  PASS();
}

#endif
