/* The option table of ireland.h as data, the one parser of option values, and which options can
 * have an effect together: the one place that refuses those that cannot. Options of other jobs than
 * the one at hand are left alone, since one set of options may serve several calls. */
#include "base/c_locale.h"
#include "base/env.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define PRESET_FLAG(x)    (x)
#define PRESET_INTEGER(x) (double)(x)
#define PRESET_REAL(x)    (x)
#define PRESET_TEXT(x)    0
#define INFO_ROW(type, name, preset, low, high, jobs, inputs, changes, help)                       \
  {#name,                                                                                          \
   IRL_OPTION_##type,                                                                              \
   PRESET_##type(preset),                                                                          \
   (double)(low),                                                                                  \
   (double)(high),                                                                                 \
   jobs,                                                                                           \
   inputs,                                                                                         \
   changes,                                                                                        \
   help,                                                                                           \
   offsetof(irl_options, name)},

static const irl_option_info table[] = {IRL_OPTION_TABLE(INFO_ROW)};
#define N_OPTIONS (sizeof table / sizeof *table)

const irl_option_info *irl_options_table(size_t *count) {
  if (count) *count = N_OPTIONS;
  return table;
}

void irl_options_init(irl_options *options) {
#define INIT_ROW(type, name, preset, low, high, jobs, inputs, changes, help) options->name = preset;
  IRL_OPTION_TABLE(INIT_ROW)
#undef INIT_ROW
}

size_t irl_options_size(void) {
  return sizeof(irl_options);
}

/* ---- words ---- */

/* Options that take one of a few words. */
static const struct {
  const char *option, *words; /* with blanks between */
} choices[] = {
    {"method", "ireland brcg bp1 bp2 bp3 bp4 bp5 bp6"},
    {"form", "bp1 bp2 bp3 bp4 bp5 bp6 sp mp"},
    {"profile", "default paper"},
    {"weights", "balanced unit"},
    {"effort", "full quick"},
    {"loss", "weighted hamming"},
    {"choose", "one-se best"},
    {"missing", "false drop impute error"},
};

#define MAX_WORDS 8u

static irl_status check_word(irl_env *env, const char *option, const char *given) {
  const char *words = NULL, *list[MAX_WORDS];
  char text[160] = "", copy[160]; /* "a, b or c", and the words themselves */
  size_t n = 0, length = 0;
  for (size_t i = 0; given && i < sizeof choices / sizeof *choices; i++)
    if (!strcmp(choices[i].option, option)) words = choices[i].words;
  if (!words) return IRL_STATUS_OK;
  snprintf(copy, sizeof copy, "%s", words);
  for (char *word = copy; *word && n < MAX_WORDS;) {
    const size_t size = strcspn(word, " ");
    const bool is_last = !word[size];
    const char *between = !n ? "" : is_last ? " or " : ", ";
    word[size] = '\0';
    if (!strcmp(word, given)) return IRL_STATUS_OK;
    length += (size_t)snprintf(text + length, sizeof text - length, "%s%s", between, word);
    list[n++] = word;
    word += size + !is_last;
  }
  const char *nearest = irl_suggest(given, list, n);
  return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "option %s takes %s, not '%s'%s%s%s", option, text,
                  given, nearest ? "; did you mean " : "", nearest ? nearest : "",
                  nearest ? "?" : "");
}

/* ---- values ---- */

static irl_status refuse(irl_env *env, const irl_option_info *info, const char *value,
                         const char *wanted) {
  return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "option %s takes %s from %.15g to %.15g, not '%s'",
                  info->name, wanted, info->low, info->high, value);
}

irl_status irl_option_parse(irl_env *env, const irl_option_info *info, void *options,
                            const char *value) {
  void *field = (char *)options + info->offset;
  char *end;
  irl_status status;
  if (!value && info->type != IRL_OPTION_FLAG)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "option %s needs a value", info->name);
  switch (info->type) {
  case IRL_OPTION_FLAG: {
    const bool off = value && (!strcmp(value, "0") || !strcmp(value, "false"));
    const bool on = !value || !*value || !strcmp(value, "1") || !strcmp(value, "true");
    if (!on && !off)
      return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "option %s is on or off, not '%s'", info->name,
                      value);
    *(bool *)field = on;
    return IRL_STATUS_OK;
  }
  case IRL_OPTION_INTEGER: {
    /* Whole numbers, also written 1e6 or 1.5e6. The limits are compared as doubles, exact below
     * 2^53, and INT64_MAX as a limit means none. */
    errno = 0;
    intmax_t whole = strtoimax(value, &end, 10);
    if (*end && strchr(".eE", *end) && strpbrk(end, "eE")) {
      const double real = irl_c_strtod(value, &end);
      if (!(fabs(real) < 0x1p62) || real != floor(real))
        return refuse(env, info, value, "a whole number");
      whole = (intmax_t)real;
    }
    if (end == value || *end || errno || (double)whole < info->low || (double)whole > info->high)
      return refuse(env, info, value, "a whole number");
    *(int64_t *)field = whole;
    return IRL_STATUS_OK;
  }
  case IRL_OPTION_REAL: {
    const double real = irl_c_strtod(value, &end);
    if (end == value || *end || !(real >= info->low && real <= info->high))
      return refuse(env, info, value, "a number");
    *(double *)field = real;
    return IRL_STATUS_OK;
  }
  default:
    status = check_word(env, info->name, value);
    if (!status) *(const char **)field = value;
    return status;
  }
}

irl_status irl_options_set(irl_env *env, irl_options *options, const char *name,
                           const char *value) {
  for (size_t i = 0; i < N_OPTIONS; i++)
    if (!strcmp(table[i].name, name)) return irl_option_parse(env, &table[i], options, value);
  return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "there is no option named '%s'", name);
}

/* ---- needs ---- */

/* X(name, is it so?, what is said where it is not): facts about a set of options. */
#define FACT_TABLE(X)                                                                              \
  X(IS_BP, is_bp, "without method bp1 to bp6")                                                     \
  X(NOT_BP, !is_bp, "with methods bp1 to bp6")                                                     \
  X(IS_BRCG, is_brcg, "without method brcg")                                                       \
  X(NOT_BRCG, !is_brcg, "with method brcg")                                                        \
  X(MAY_BE_BRCG, !o->method || is_word(o->method, "brcg"), "with another method than brcg")        \
  X(IS_PAPER, is_paper, "without profile paper")                                                   \
  X(NOT_PAPER_BRCG, !is_paper || !is_brcg, "with brcg as published, which has limits of its own")  \
  X(HAS_START, !is_bp || !(o->plain || o->no_start),                                               \
    "with options plain and no_start, by which a model begins without a rule")                     \
  X(NO_POOL, !o->pool, "with option pool, whose clauses are given")                                \
  X(IS_WEIGHTED, !is_hamming, "with the Hamming loss")                                             \
  X(IS_FULL, !is_word(o->effort, "quick"), "with effort quick, which makes no proof")              \
  X(IS_PROVEN, o->prove, "without option prove")                                                   \
  X(IS_FORM_BP_OR_MP, !is_sp, "with form sp")                                                      \
  X(IS_FORM_BP_OR_SP, !is_mp, "with form mp")                                                      \
  X(IS_FORM_SP, !o->form || is_sp, "without form sp")                                              \
  X(IS_FORM_MP, !o->form || is_mp, "without form mp")                                              \
  X(NO_COUNT, o->budget_count < 0, "with option budget_count")                                     \
  X(IS_INTEGER, !o->relax, "with option relax")                                                    \
  X(NO_REST, !o->vs_rest, "with option vs_rest")                                                   \
  X(NOT_IMPUTED, !is_word(o->missing, "impute"), "as impute on columns as they are; give it to fit")

#define BIT_ROW(name, is_so, text) name##_BIT,
enum { FACT_TABLE(BIT_ROW) N_FACTS };
#define FACT_ROW(name, is_so, text) name = 1u << name##_BIT,
enum { FACT_TABLE(FACT_ROW) };
#define TEXT_ROW(name, is_so, text) text,
static const char *const unless[] = {FACT_TABLE(TEXT_ROW)};

#define SEEKING (HAS_START | NO_POOL) /* clauses are sought */

static const struct {
  const char *option;
  unsigned jobs;  /* for which it needs */
  unsigned facts; /* all of these */
} needs[] = {
    {"positive", IRL_FOR_READ, NO_REST},
    {"missing", IRL_FOR_RAW, NOT_IMPUTED},
    {"binary", IRL_FOR_LEARN, IS_BP},
    {"plain", IRL_FOR_LEARN, IS_BP},
    {"no_start", IRL_FOR_LEARN, IS_BP},
    {"paper_brcg", IRL_FOR_LEARN, MAY_BE_BRCG},
    {"complexity", IRL_FOR_LEARN, IS_BRCG},
    {"max_literals", IRL_FOR_LEARN, NOT_BP},
    {"penalty", IRL_FOR_LEARN, NOT_BP | NOT_BRCG},
    {"profile", IRL_FOR_LEARN, SEEKING},
    {"paper_sample", IRL_FOR_LEARN, IS_PAPER | NOT_BRCG | SEEKING},
    {"paper_seconds", IRL_FOR_LEARN, IS_PAPER | SEEKING},
    {"budgets", IRL_FOR_LEARN, NOT_BRCG | SEEKING},
    {"effort", IRL_FOR_LEARN, NOT_BRCG | HAS_START},
    {"prove", IRL_FOR_LEARN, SEEKING | NOT_PAPER_BRCG | IS_FULL},
    {"pool", IRL_FOR_LEARN, NOT_BP},
    {"min_sensitivity", IRL_FOR_LEARN, NOT_BP | NOT_BRCG},
    {"min_specificity", IRL_FOR_LEARN, NOT_BP | NOT_BRCG},
    {"checkpoint", IRL_FOR_LEARN, NOT_BP},
    {"resume", IRL_FOR_LEARN, NOT_BP},
    {"start", IRL_FOR_FIT, SEEKING},
    {"loss", IRL_FOR_FIT, NOT_BP | NOT_BRCG},
    {"equivalent", IRL_FOR_FIT, IS_WEIGHTED},
    {"all_optimal", IRL_FOR_FIT, IS_PROVEN | NOT_BP | NOT_BRCG},
    {"within", IRL_FOR_FIT, IS_PROVEN | NOT_BP | NOT_BRCG},
    {"certificate", IRL_FOR_FIT, IS_PROVEN | NOT_BP | NOT_BRCG},
    {"budget", IRL_FOR_CLAUSE, NO_COUNT},
    /* K, M and the budget say what the problem is; the same line makes any form of it. */
    {"budget", IRL_FOR_MODEL, NO_COUNT},
    {"budget_count", IRL_FOR_MODEL, IS_FORM_SP},
    {"weights", IRL_FOR_MODEL, IS_FORM_BP_OR_MP},
    {"M", IRL_FOR_MODEL, IS_FORM_BP_OR_SP},
    {"negations", IRL_FOR_MODEL, IS_FORM_BP_OR_SP},
    {"pool", IRL_FOR_MODEL, IS_FORM_MP},
    {"node_limit", IRL_FOR_SOLVE, IS_INTEGER},
};

static bool is_word(const char *given, const char *word) {
  return given && !strcmp(given, word);
}

/* All that is so. */
static unsigned find_facts(const irl_options *o) {
  const bool is_bp = o->method && !strncmp(o->method, "bp", 2);
  const bool is_brcg = o->paper_brcg || is_word(o->method, "brcg");
  const bool is_paper = o->paper_brcg || is_word(o->profile, "paper");
  const bool is_hamming = is_brcg || is_word(o->loss, "hamming") || is_word(o->method, "bp5") ||
                          is_word(o->method, "bp6");
  const bool is_sp = is_word(o->form, "sp"), is_mp = is_word(o->form, "mp");
  unsigned facts = 0;
#define SO_ROW(name, is_so, text)                                                                  \
  if (is_so) facts |= name;
  FACT_TABLE(SO_ROW)
  return facts;
}

bool irl_option_is_set(const irl_option_info *info, const irl_options *options) {
  const void *field = (const char *)options + info->offset;
  switch (info->type) {
  case IRL_OPTION_FLAG:
    return *(const bool *)field != (info->preset != 0);
  case IRL_OPTION_INTEGER:
    return (double)*(const int64_t *)field != info->preset;
  case IRL_OPTION_REAL:
    return *(const double *)field != info->preset;
  default:
    return *(const char *const *)field != NULL;
  }
}

/* Callers may have set fields themselves: is each in its range, or one of its words? */
static irl_status check_ranges(irl_env *env, const irl_options *options) {
  irl_status status = IRL_STATUS_OK;
  for (size_t i = 0; i < N_OPTIONS && !status; i++) {
    const void *field = (const char *)options + table[i].offset;
    if (table[i].type == IRL_OPTION_TEXT) {
      status = check_word(env, table[i].name, *(const char *const *)field);
    } else if (table[i].type != IRL_OPTION_FLAG) {
      const bool is_whole = table[i].type == IRL_OPTION_INTEGER;
      const double value = is_whole ? (double)*(const int64_t *)field : *(const double *)field;
      char text[32];
      irl_c_snprintf(text, sizeof text, "%.15g", value);
      if (!(value >= table[i].low && value <= table[i].high))
        status = refuse(env, &table[i], text, "a number");
    }
  }
  return status;
}

irl_status irl_options_check(irl_env *env, const irl_options *options, unsigned jobs,
                             unsigned input) {
  irl_status status = check_ranges(env, options);
  const unsigned facts = status ? 0 : find_facts(options);
  for (size_t i = 0; i < N_OPTIONS && !status; i++) {
    if (!(table[i].jobs & jobs) || !irl_option_is_set(&table[i], options)) continue;
    for (size_t k = 0; k < sizeof needs / sizeof *needs && !status; k++) {
      const unsigned lacks = needs[k].facts & ~facts;
      if (needs[k].jobs & jobs && lacks && !strcmp(needs[k].option, table[i].name))
        status = irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "option %s has no effect %s", table[i].name,
                          unless[__builtin_ctz(lacks)]);
    }
    if (!status && input && !(table[i].inputs & input))
      status =
          irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "option %s has no effect on %s", table[i].name,
                   input == IRL_FROM_ARFF     ? ".arff files"
                   : input == IRL_FROM_LIBSVM ? "LIBSVM files"
                   : input == IRL_FROM_BED    ? ".bed files"
                   : input == IRL_FROM_IRB    ? ".irb files"
                   : input == IRL_FROM_MEMORY ? "tables in memory"
                   : input == IRL_FROM_DATA   ? "data that are no table, as irl_fit_table takes it"
                                              : "CSV files");
  }
  return status;
}
