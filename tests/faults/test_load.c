/* Load inside one process: eight solvers in threads of their own give what one alone gives, on data
 * that they share; fits again and again leave no block behind and need no more memory.
 *
 * IRL_LOAD_SECONDS=N repeats fits for N seconds. */
#include "ireland_data.h"
#include "support.h"
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

enum { N_SOLVERS = 8, N_JOBS = 4, N_WARM = 20, N_PARTS = 10 };

/* Blocks that are in use. */
static void *counting_resize(void *user, void *memory, size_t size) {
  atomic_long *live = user;
  if (!memory) atomic_fetch_add(live, 1);
  if (!size) {
    atomic_fetch_sub(live, 1);
    free(memory);
    return NULL;
  }
  return realloc(memory, size);
}

typedef struct solver {
  pthread_t thread;
  const irl_data *data;
  char *answers[N_JOBS];
} solver;

/* The rule that a job ends with, as JSON. */
static char *solve(irl_env *env, const irl_data *data, int job) {
  static const char *const methods[N_JOBS] = {"ireland", "brcg", "bp1", "ireland"};
  irl_fit_result *fit;
  char *text = NULL;
  irl_options options = options_of(env, "K", "2", "M", "2", "threads", job == 3 ? "2" : "1",
                                   "method", methods[job], "work_limit", "20000000", NULL);
  options.search.prove = job < 2;
  if (irl_fit(env, data, &options, &fit)) return NULL;
  if (irl_rule_render(env, irl_fit_rule(fit), IRL_FORMAT_JSON, &text)) text = NULL;
  char *copy = text ? strdup(text) : NULL;
  irl_text_free(env, text);
  irl_fit_free(fit);
  return copy;
}

static void *work(void *user) {
  solver *s = user;
  irl_env *env;
  if (irl_env_create(NULL, &env)) return NULL;
  for (int job = 0; job < N_JOBS; job++) s->answers[job] = solve(env, s->data, job);
  irl_env_free(env);
  return NULL;
}

static irl_data *small_data(irl_env *env) {
  irl_data *data;
  const irl_options options =
      options_of(env, "N", "60", "J", "12", "K", "2", "M", "2", "noise", "0.1", NULL);
  if (irl_generate(env, &options, &data, NULL)) abort();
  return data;
}

TEST eight_solvers_at_once(void) {
  irl_env *env;
  solver solvers[N_SOLVERS], alone = {0};
  ASSERT_EQ(IRL_STATUS_OK, irl_env_create(NULL, &env));
  irl_data *data = small_data(env);
  alone.data = data;
  work(&alone);
  for (int i = 0; i < N_SOLVERS; i++) {
    solvers[i] = (solver){.data = data};
    ASSERT_EQ(0, pthread_create(&solvers[i].thread, NULL, work, &solvers[i]));
  }
  for (int i = 0; i < N_SOLVERS; i++) {
    ASSERT_EQ(0, pthread_join(solvers[i].thread, NULL));
    for (int job = 0; job < N_JOBS; job++) {
      ASSERT(solvers[i].answers[job]);
      ASSERT_STR_EQ(alone.answers[job], solvers[i].answers[job]);
      free(solvers[i].answers[job]);
    }
  }
  for (int job = 0; job < N_JOBS; job++) free(alone.answers[job]);
  irl_data_free(data);
  irl_env_free(env);
  PASS();
}

/* Pages of the process that are in memory. */
static long resident(void) {
  long size = 0, pages = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (!f) return 0;
  if (fscanf(f, "%ld %ld", &size, &pages) != 2) pages = 0;
  fclose(f);
  return pages;
}

TEST memory_stays_flat(void) {
  const char *text = getenv("IRL_LOAD_SECONDS");
  const double seconds = text ? strtod(text, NULL) : 1;
  atomic_long blocks = 0;
  const irl_allocator allocator = {sizeof allocator, counting_resize, &blocks};
  const time_t start = time(NULL);
  irl_env *env;
  ASSERT_EQ(IRL_STATUS_OK, irl_env_create(&allocator, &env));
  irl_data *data = small_data(env);
  const long live = atomic_load(&blocks);
  long n = 0, warm = 0, most = 0, recent = 0;
  int part = 0; /* of N_PARTS, what the memory of each was */
  for (; n < 2 * N_WARM || difftime(time(NULL), start) < seconds; n++) {
    char *answer = solve(env, data, (int)(n % N_JOBS));
    ASSERT(answer);
    free(answer);
    ASSERT_EQ_FMT(live, atomic_load(&blocks), "%ld");
    if (n == N_WARM) warm = resident();
    if (n > N_WARM && resident() > most) most = resident();
    if (resident() > recent) recent = resident();
    if (text && difftime(time(NULL), start) >= seconds * (part + 1) / N_PARTS) {
      printf("part %d: %ld fits so far, at most %ld pages\n", ++part, n + 1, recent);
      fflush(stdout);
      recent = 0;
    }
  }
  printf("%ld fits, %ld pages after %d of them, at most %ld later\n", n, warm, N_WARM, most);
  ASSERT_LT(most, warm + warm / 2 + 1000);
  irl_data_free(data);
  irl_env_free(env);
  PASS();
}

SUITE(load) {
  RUN_TEST(eight_solvers_at_once);
  RUN_TEST(memory_stays_flat);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_SUITE(load);
  GREATEST_MAIN_END();
}
