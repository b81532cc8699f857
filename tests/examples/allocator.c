/* An allocator of one's own, one per handle: it counts what is in use and refuses more than a
 * limit. Out of memory is a status like others; nothing leaks. */
#include <ireland.h>
#include <ireland_data.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BEFORE = 16 }; /* bytes before a block, for its size */

typedef struct purse {
  atomic_size_t used, most;
  size_t limit;
} purse;

/* Called from several threads at once. */
static void *resize(void *user, void *memory, size_t size) {
  purse *p = user;
  char *old = memory ? (char *)memory - BEFORE : NULL;
  size_t had = 0;
  if (old) memcpy(&had, old, sizeof had);
  if (!size) {
    atomic_fetch_sub(&p->used, had);
    free(old);
    return NULL;
  }
  if (atomic_load(&p->used) + size > p->limit) return NULL;
  char *block = realloc(old, size + BEFORE);
  if (!block) return NULL;
  memcpy(block, &size, sizeof size);
  const size_t used = atomic_fetch_add(&p->used, size - had) + size - had;
  size_t most = atomic_load(&p->most);
  while (most < used && !atomic_compare_exchange_weak(&p->most, &most, used)) {
  }
  return block + BEFORE;
}

static irl_status learn(purse *p) {
  const irl_allocator allocator = {sizeof allocator, resize, p};
  irl_env *env = NULL;
  irl_data *data = NULL;
  irl_fit_result *fit = NULL;
  irl_options options;
  irl_options_init(&options, sizeof options);
  options.data.N = 500;
  irl_status status = irl_env_create(&allocator, &env);
  if (!status) status = irl_generate(env, &options, &data, NULL);
  if (!status) status = irl_fit(env, data, &options, &fit);
  irl_fit_free(fit);
  irl_data_free(data);
  irl_env_free(env);
  return status;
}

int main(void) {
  purse rich = {.limit = (size_t)1 << 30}, poor = {.limit = 100000};
  const irl_status good = learn(&rich), bad = learn(&poor);
  printf("rich: %s, %zu bytes left in use\n", irl_status_text(good), (size_t)rich.used);
  printf("poor: %s, %zu bytes left in use\n", irl_status_text(bad), (size_t)poor.used);
  fprintf(stderr, "the most in use was %zu bytes\n", (size_t)rich.most);
  return good != IRL_STATUS_OK || bad != IRL_STATUS_NO_MEMORY || rich.used || poor.used;
}
