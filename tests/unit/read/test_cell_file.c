/* Tables whose genotypes stay in their .bed file say and give what tables that hold them do, on any
 * number of threads; a file that changes meanwhile is refused. */
#include "ireland_data.h"
#include "ireland_study.h"
#include "support.h"
#include "table/raw_table.h"

#define FOLDER     "build/test-cell-file"
#define BED        FOLDER "/a.bed"
#define N_PEOPLE   203u
#define N_VARIANTS 150u

static irl_env *env;

static void set_up(void *unused) {
  (void)unused;
  if (irl_env_create(NULL, &env)) abort();
}

static void tear_down(void *unused) {
  (void)unused;
  irl_env_free(env);
}

/* Random genotypes; one person in ten has no phenotype, some variants are those of others. */
static void write_files(uint64_t seed) {
  irl_random random;
  irl_random_init(&random, seed, 5);
  FILE *bed = fopen(BED, "wb"), *bim = fopen(FOLDER "/a.bim", "w"),
       *fam = fopen(FOLDER "/a.fam", "w");
  if (!bed || !bim || !fam) abort();
  unsigned char line[(N_PEOPLE + 3) / 4];
  fwrite("\x6c\x1b\x01", 1, 3, bed);
  for (unsigned v = 0; v < N_VARIANTS; v++) {
    for (unsigned b = 0; b < sizeof line && (v % 7 || !v); b++)
      line[b] = (unsigned char)irl_random_next(&random);
    line[sizeof line - 1] &= (1u << 2 * (N_PEOPLE % 4)) - 1;
    fwrite(line, 1, sizeof line, bed);
    fprintf(bim, "%u rs%u 0 %u A C\n", 1 + v / 50, v, 1000 + 100 * v);
  }
  for (unsigned i = 0; i < N_PEOPLE; i++)
    fprintf(fam, "f%u p%u 0 0 %u %d\n", i, i, 1 + i % 2,
            irl_random_below(&random, 10) ? 1 + (int)irl_random_below(&random, 2) : -9);
  fclose(bed);
  fclose(bim);
  fclose(fam);
}

static irl_table *read_table(const irl_options *options, bool stays, int threads) {
  irl_table *made = NULL;
  const irl_source source = {
      .path = BED, .options = options, .threads = threads, .window = stays ? 1 : 0};
  if (irl_source_read(env, &source, &made)) return NULL;
  return made;
}

static bool same_texts(char *a, char *b) {
  const bool same = a && b && !strcmp(a, b);
  irl_text_free(env, a);
  irl_text_free(env, b);
  return same;
}

static char *file_text(const char *path) {
  char *text = NULL;
  irl_file file;
  if (irl_file_open(env, path, &file)) return NULL;
  text = irl_mem_copy_text(&env->allocator, file.bytes, file.size);
  irl_file_close(&file);
  return text;
}

static uint64_t coded(const irl_table *made, const irl_options *options) {
  irl_coding *coding = NULL;
  irl_data *data = NULL;
  uint64_t sum = 0;
  if (!irl_table_code(env, made, NULL, options, &coding) &&
      !irl_table_data(env, made, coding, NULL, &data))
    sum = checksum_of(data);
  irl_coding_free(coding);
  irl_data_free(data);
  return sum;
}

TEST gives_the_same(const irl_options *options, int threads) {
  irl_table *here = read_table(options, false, 1), *there = read_table(options, true, threads);
  ASSERT(here && there);
  ASSERT(!here->cell_file && there->cell_file && irl_table_check(there));
  ASSERT(!there->columns[3].cells.low && here->columns[3].n_missing == there->columns[3].n_missing);
  const uint64_t sum = coded(here, options);
  ASSERT(sum && sum == coded(there, options));
  for (int format = 0; format < 2; format++) {
    char *a = NULL, *b = NULL;
    ASSERT(!irl_table_render(env, here, (irl_format)format, &a));
    ASSERT(!irl_table_render(env, there, (irl_format)format, &b));
    ASSERT(same_texts(a, b));
  }
  ASSERT(!irl_table_write(env, here, FOLDER "/here.csv"));
  ASSERT(!irl_table_write(env, there, FOLDER "/there.csv"));
  ASSERT(same_texts(file_text(FOLDER "/here.csv"), file_text(FOLDER "/there.csv")));
  ASSERT(!irl_table_write(env, there, FOLDER "/there.irb"));
  irl_table_free(here);
  irl_table_free(there);
  PASS();
}

TEST all_the_same(void) {
  for (uint64_t seed = 1; seed <= 3; seed++) {
    write_files(seed);
    const irl_options plain = options_of(env, "threads", "1", NULL);
    const irl_options more =
        options_of(env, "negations", "true", "maf", "0.3", "mind", "0.35", "chr", "1-2", NULL);
    CHECK_CALL(gives_the_same(&plain, 1));
    CHECK_CALL(gives_the_same(&plain, 2));
    CHECK_CALL(gives_the_same(&more, 2));
  }
  PASS();
}

/* The rule, with what is said of its variants. */
TEST fits_the_same(void) {
  write_files(7);
  const irl_options options = options_of(env, "K", "1", "M", "2", "ld_r2", "0.05", "test", "0.3",
                                         "permutations", "3", NULL);
  char *texts[2] = {NULL, NULL};
  for (int i = 0; i < 2; i++) {
    irl_table *made = read_table(&options, i, 1);
    irl_fit_result *fit = NULL;
    ASSERT(made && !irl_fit_table(env, made, &options, &fit));
    ASSERT(!irl_fit_render(env, fit, IRL_FORMAT_TEXT, &texts[i]));
    irl_fit_free(fit);
    irl_table_free(made);
  }
  ASSERT(strstr(texts[0], "variants of the rule"));
  ASSERT(same_texts(texts[0], texts[1]));
  PASS();
}

/* The estimate for new samples: folds and bootstrap samples of genotypes that stay in their file
 * are those of a table that holds them, and of the same table as .irb; the data of the rule, which
 * made room meanwhile, are back. */
TEST estimates_the_same(void) {
  static const char *const methods[] = {"quick", "cv", "bootstrap"};
  for (int m = 0; m < 3; m++) {
    char *texts[4] = {NULL, NULL, NULL, NULL};
    write_files(9 + (uint64_t)m);
    const irl_options options =
        options_of(env, "K", "1", "M", m ? "1" : "2", "validate", methods[m], NULL);
    for (int i = 0; i < 4; i++) {
      irl_table *made = i < 3 ? read_table(&options, i > 0, i > 1 ? 2 : 1) : NULL;
      irl_fit_result *fit = NULL;
      if (i == 3) ASSERT(!irl_table_read(env, FOLDER "/a.irb", &options, &made));
      ASSERT(made && (i < 1 || i > 2 || made->cell_file));
      if (!i) ASSERT(!irl_table_write(env, made, FOLDER "/a.irb"));
      ASSERT(!irl_fit_table(env, made, &options, &fit));
      ASSERT(!irl_fit_render(env, fit, IRL_FORMAT_TEXT, &texts[i]));
      irl_fit_free(fit);
      irl_table_free(made);
    }
    ASSERT(strstr(texts[0], "new samples (") && strstr(texts[0], "sensitivity"));
    ASSERT_STR_EQ(texts[0], texts[1]);
    ASSERT_STR_EQ(texts[0], texts[2]);
    char *places = strstr(texts[0], "\nvariants of the rule"); /* which .irb does not have */
    ASSERT(places);
    *places = '\0';
    ASSERT_STR_EQ(texts[0], texts[3]);
    for (int i = 0; i < 4; i++) irl_text_free(env, texts[i]);
  }
  PASS();
}

TEST refuses_another_file(void) {
  write_files(8);
  const irl_options options = options_of(env, "K", "1", "M", "2", NULL);
  irl_table *made = read_table(&options, true, 1);
  ASSERT(made);
  FILE *bed = fopen(BED, "r+b");
  ASSERT(bed && !ftruncate(fileno(bed), 1000));
  fclose(bed);
  ASSERT(!coded(made, &options));
  ASSERT(strstr(irl_env_error(env), "a.bed: the file changed while it was read"));
  irl_table_free(made);
  PASS();
}

SUITE(cells) {
  SET_SETUP(set_up, NULL);
  SET_TEARDOWN(tear_down, NULL);
  RUN_TEST(all_the_same);
  RUN_TEST(fits_the_same);
  RUN_TEST(estimates_the_same);
  RUN_TEST(refuses_another_file);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  make_folder(FOLDER);
  RUN_SUITE(cells);
  GREATEST_MAIN_END();
}
