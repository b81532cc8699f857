/* The option table of ireland_options.h as data, and the one parser of option values. */
#include "base/c_locale.h"
#include "base/contract.h"
#include "base/env.h"
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_QUANTILES     10000u
#define DEFAULT_QUANTILES 9u

/* The texts of words. */
#define TEXT_ROW(name, text) text,
static const char *const method_words[] = {IRL_METHOD_TABLE(TEXT_ROW)};
static const char *const form_words[] = {IRL_FORM_TABLE(TEXT_ROW)};
static const char *const loss_words[] = {IRL_LOSS_TABLE(TEXT_ROW)};
static const char *const weights_words[] = {IRL_WEIGHTS_TABLE(TEXT_ROW)};
static const char *const missing_words[] = {IRL_MISSING_TABLE(TEXT_ROW)};
static const char *const profile_words[] = {IRL_PROFILE_TABLE(TEXT_ROW)};
static const char *const effort_words[] = {IRL_EFFORT_TABLE(TEXT_ROW)};
static const char *const choice_words[] = {IRL_CHOICE_TABLE(TEXT_ROW)};
static const char *const validate_words[] = {IRL_VALIDATE_TABLE(TEXT_ROW)};
#undef TEXT_ROW

/* Type of a row, words and their number. */
#define WORDS(list)   .type = IRL_OPTION_WORD, .words = list, .n_words = sizeof list / sizeof *list
#define TYPE_FLAG     .type = IRL_OPTION_FLAG
#define TYPE_INTEGER  .type = IRL_OPTION_INTEGER
#define TYPE_REAL     .type = IRL_OPTION_REAL
#define TYPE_TEXT     .type = IRL_OPTION_TEXT
#define TYPE_METHOD   WORDS(method_words)
#define TYPE_FORM     WORDS(form_words)
#define TYPE_LOSS     WORDS(loss_words)
#define TYPE_WEIGHTS  WORDS(weights_words)
#define TYPE_MISSING  WORDS(missing_words)
#define TYPE_PROFILE  WORDS(profile_words)
#define TYPE_EFFORT   WORDS(effort_words)
#define TYPE_CHOICE   WORDS(choice_words)
#define TYPE_VALIDATE WORDS(validate_words)
#define TYPE_RULE     .type = IRL_OPTION_OBJECT
#define TYPE_POOL     .type = IRL_OPTION_OBJECT
#define TYPE_SINK     .type = IRL_OPTION_OBJECT
#define TYPE_BYTES    .type = IRL_OPTION_OBJECT
#define TYPE_GRID     .type = IRL_OPTION_OBJECT
#define TYPE_CUTS     .type = IRL_OPTION_CUTS
#define INFO_ROW(group, type, name_, preset_, low_, high_, jobs_, inputs_, changes_, help_)        \
  {.name = #name_,                                                                                 \
   TYPE_##type,                                                                                    \
   .preset = (double)(preset_),                                                                    \
   .low = (double)(low_),                                                                          \
   .high = (double)(high_),                                                                        \
   .jobs = jobs_,                                                                                  \
   .inputs = inputs_,                                                                              \
   .changes = changes_,                                                                            \
   .help = help_,                                                                                  \
   .offset = offsetof(irl_options, group.name_)},

static const irl_option_info table[] = {IRL_OPTION_TABLE(INFO_ROW)};
#define N_TABLE (sizeof table / sizeof *table)

const irl_option_info *irl_options_table(size_t *count) {
  if (count) *count = N_TABLE;
  return table;
}

/* Words are read and written as an irl_method, whatever enum they are. */
_Static_assert(sizeof(irl_form) == sizeof(irl_method) && sizeof(irl_loss) == sizeof(irl_method) &&
                   sizeof(irl_weights) == sizeof(irl_method) &&
                   sizeof(irl_missing) == sizeof(irl_method) &&
                   sizeof(irl_profile) == sizeof(irl_method) &&
                   sizeof(irl_effort) == sizeof(irl_method) &&
                   sizeof(irl_choice) == sizeof(irl_method) &&
                   sizeof(irl_validate) == sizeof(irl_method),
               "all enums of words have one size");
/* Methods and forms bp1 to bp6 are told by their numbers. */
_Static_assert(IRL_METHOD_BP6 - IRL_METHOD_BP1 == 5 && IRL_METHOD_BP6 + 1 == IRL_N_METHOD &&
                   IRL_FORM_BP1 == 1 && IRL_FORM_BP6 == 6,
               "bp1 to bp6 come one after the other");

size_t irl_option_bytes(const irl_option_info *info) {
  static const size_t sizes[] = {
      [IRL_OPTION_FLAG] = sizeof(bool),       [IRL_OPTION_INTEGER] = sizeof(int64_t),
      [IRL_OPTION_REAL] = sizeof(double),     [IRL_OPTION_TEXT] = sizeof(char *),
      [IRL_OPTION_WORD] = sizeof(irl_method), [IRL_OPTION_CUTS] = sizeof(irl_cuts),
      [IRL_OPTION_OBJECT] = sizeof(void *)};
  return sizes[info->type];
}

void irl_options_init(irl_options *options, size_t size) {
  if (!options || size < sizeof options->size) return;
  memset(options, 0, size);
  options->size = size;
  for (size_t i = 0; i < N_TABLE; i++) {
    char *field = (char *)options + table[i].offset;
    if (table[i].offset + irl_option_bytes(&table[i]) > size) continue;
    if (table[i].type == IRL_OPTION_INTEGER)
      *(int64_t *)(void *)field = (int64_t)table[i].preset;
    else if (table[i].type == IRL_OPTION_REAL)
      *(double *)(void *)field = table[i].preset;
    else if (table[i].type == IRL_OPTION_FLAG)
      *(bool *)field = table[i].preset != 0;
  }
}

size_t irl_options_size(void) {
  return sizeof(irl_options);
}

/* A size that irl_options_init has set: no struct of a later version will be so much longer. */
static bool has_size(const irl_options *options) {
  return options->size >= sizeof options->size && options->size <= 64 * sizeof *options;
}

/* Bytes that both this library and the caller know. */
static size_t known_size(const irl_options *options) {
  return options->size < sizeof *options ? options->size : sizeof *options;
}

/* The options that a caller's struct has no room for keep their presets: a field that it has only a
 * part of is none. */
bool irl_options_copy(const irl_options *options, irl_options *own) {
  if (!options || !has_size(options)) return false;
  irl_options_init(own, sizeof *own);
  const irl_options presets = *own;
  memcpy(own, options, known_size(options));
  own->size = sizeof *own;
  for (size_t i = 0; i < N_TABLE; i++)
    if (table[i].offset + irl_option_bytes(&table[i]) > options->size)
      memcpy((char *)own + table[i].offset, (const char *)&presets + table[i].offset,
             irl_option_bytes(&table[i]));
  return true;
}

irl_status irl_options_copy_in(irl_env *env, const irl_options *options, irl_options *own) {
  if (!options) return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "options are needed");
  if (!irl_options_copy(options, own))
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "options have no size: irl_options_init comes first");
  for (size_t i = sizeof *own; i < options->size; i++)
    if (((const char *)options)[i])
      return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                      "an option is set that came after version %s of the library", IRL_VERSION);
  /* Losses count a penalty by its decimals: 13 * 0.001 is meant to be 0.013. */
  char digits[40];
  irl_c_snprintf(digits, sizeof digits, "%.15g", own->rule.penalty);
  own->rule.penalty = irl_c_strtod(digits, NULL);
  return IRL_STATUS_OK;
}

irl_loss irl_options_loss(const irl_options *options) {
  const irl_method method = options->search.method;
  return method == IRL_METHOD_BRCG || method == IRL_METHOD_BP5 || method == IRL_METHOD_BP6
             ? IRL_LOSS_HAMMING
             : options->rule.loss;
}

void irl_options_copy_out(const irl_options *own, irl_options *options) {
  const size_t size = options->size;
  assert(has_size(options) && own->size == sizeof *own);
  memcpy(options, own, known_size(options));
  options->size = size;
}

static irl_status refuse(irl_env *env, const irl_option_info *info, const char *value,
                         const char *wanted) {
  return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "option %s takes %s from %.15g to %.15g, not '%s'",
                  info->name, wanted, info->low, info->high, value);
}

/* Whole numbers, also written 1e6 or 1.5e6. The limits are compared as doubles, exact below 2^53,
 * and INT64_MAX as a limit means none. */
static irl_status parse_integer(irl_env *env, const irl_option_info *info, int64_t *field,
                                const char *value) {
  char *end;
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
  *field = whole;
  return IRL_STATUS_OK;
}

static irl_status parse_real(irl_env *env, const irl_option_info *info, double *field,
                             const char *value) {
  char *end;
  const double real = irl_c_strtod(value, &end);
  if (end == value || *end || !(real >= info->low && real <= info->high))
    return refuse(env, info, value, "a number");
  *field = real;
  return IRL_STATUS_OK;
}

static irl_status parse_word(irl_env *env, const irl_option_info *info, void *field,
                             const char *value) {
  char list[160];
  size_t length = 0;
  for (unsigned i = 1; i < info->n_words; i++) {
    if (!strcmp(info->words[i], value)) {
      const irl_method word = (irl_method)i; /* all enums of words have one size */
      memcpy(field, &word, sizeof word);
      return IRL_STATUS_OK;
    }
    length += (size_t)snprintf(list + length, sizeof list - length, "%s%s",
                               i == 1                  ? ""
                               : i + 1 < info->n_words ? ", "
                                                       : " or ",
                               info->words[i]);
  }
  const char *nearest = irl_suggest(value, info->words + 1, info->n_words - 1);
  return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "option %s takes %s, not '%s'%s%s%s", info->name,
                  list, value, nearest ? "; did you mean " : "", nearest ? nearest : "",
                  nearest ? "?" : "");
}

/* "method" alone or "method:N". */
static bool parse_counted(const char *value, const char *method, uint32_t alone, uint32_t *n) {
  const size_t length = strlen(method);
  if (strncmp(value, method, length)) return false;
  *n = alone;
  if (!value[length]) return true;
  char *end;
  const unsigned long count = strtoul(value + length + 1, &end, 10);
  if (value[length] != ':' || value[length + 1] < '0' || value[length + 1] > '9' || *end ||
      !count || count > MAX_QUANTILES)
    return false;
  *n = (uint32_t)count;
  return true;
}

static irl_status parse_cuts(irl_env *env, irl_cuts *field, const char *value) {
  irl_cuts cuts = {IRL_CUT_ALL, 0};
  if (strcmp(value, "all")) {
    cuts.method = IRL_CUT_QUANTILE;
    if (!parse_counted(value, "quantile", DEFAULT_QUANTILES, &cuts.n_quantiles)) {
      cuts.method = IRL_CUT_MDL;
      if (!parse_counted(value, "mdl", 0, &cuts.n_quantiles))
        return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                        "option cuts takes quantile:N (1 to %u), mdl, mdl:N or all, not '%s'",
                        MAX_QUANTILES, value);
    }
  }
  *field = cuts;
  return IRL_STATUS_OK;
}

irl_status irl_option_parse(irl_env *env, const irl_option_info *info, void *options,
                            const char *value) {
  IRL_NEED(env, "env, info, options", env, info, options);
  void *field = (char *)options + info->offset;
  if (info->type == IRL_OPTION_FLAG) {
    const bool off = value && (!strcmp(value, "0") || !strcmp(value, "false"));
    const bool on = !value || !*value || !strcmp(value, "1") || !strcmp(value, "true");
    if (!on && !off)
      return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "option %s is on or off, not '%s'", info->name,
                      value);
    *(bool *)field = on;
    return IRL_STATUS_OK;
  }
  if (!value) return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "option %s needs a value", info->name);
  switch (info->type) {
  case IRL_OPTION_INTEGER:
    return parse_integer(env, info, field, value);
  case IRL_OPTION_REAL:
    return parse_real(env, info, field, value);
  case IRL_OPTION_WORD:
    return parse_word(env, info, field, value);
  case IRL_OPTION_CUTS:
    return parse_cuts(env, field, value);
  case IRL_OPTION_OBJECT:
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "option %s is an object, not a text", info->name);
  default:
    *(const char **)field = value;
    return IRL_STATUS_OK;
  }
}

/* Bytes that have a size have an address too, and a sink knows its own size and where to. */
static irl_status check_objects(irl_env *env, const irl_options *options) {
  const irl_checkpoint_sink *sink = options->search.checkpoint;
  const irl_genotypes_options *g = &options->genotypes;
  const struct {
    const char *name;
    const irl_bytes *bytes;
  } given[] = {{"types", options->data.types},
               {"one_per", options->data.one_per},
               {"resume", options->search.resume},
               {"pheno", g->pheno},
               {"covar", g->covar},
               {"keep", g->keep},
               {"remove", g->remove},
               {"extract", g->extract},
               {"exclude", g->exclude},
               {"genes", g->genes}};
  for (size_t i = 0; i < sizeof given / sizeof *given; i++)
    if (given[i].bytes && given[i].bytes->size && !given[i].bytes->data)
      return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "option %s has a size and no bytes",
                      given[i].name);
  if (sink && (!irl_sized_is_set(sink) || !sink->save))
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "option checkpoint begins with its size, which IRL_SIZED sets, and has a "
                    "function to save by");
  return IRL_STATUS_OK;
}

irl_status irl_options_check_ranges(irl_env *env, const irl_options *options) {
  for (size_t i = 0; i < N_TABLE; i++) {
    const void *field = (const char *)options + table[i].offset;
    double value, low = table[i].low, high = table[i].high;
    if (table[i].type == IRL_OPTION_INTEGER)
      value = (double)*(const int64_t *)field;
    else if (table[i].type == IRL_OPTION_REAL)
      value = *(const double *)field;
    else if (table[i].type == IRL_OPTION_WORD) {
      irl_method word;
      memcpy(&word, field, sizeof word);
      if ((unsigned)word < table[i].n_words) continue;
      return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "option %s has no value %u", table[i].name,
                      (unsigned)word);
    } else if (table[i].type == IRL_OPTION_CUTS) {
      const irl_cuts *cuts = field;
      if ((unsigned)cuts->method < IRL_N_CUT_METHOD && cuts->n_quantiles <= MAX_QUANTILES) continue;
      return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "option cuts has at most %u quantiles",
                      MAX_QUANTILES);
    } else
      continue;
    if (value >= low && value <= high) continue;
    char text[32];
    irl_c_snprintf(text, sizeof text, "%.15g", value);
    return refuse(env, &table[i], text, "a number");
  }
  return check_objects(env, options);
}

void irl_options_clear_objects(irl_options *options) {
  options->search.start = NULL;
  options->search.pool = NULL;
  options->search.checkpoint = NULL;
  options->search.resume = NULL;
  options->search.tune = NULL;
  options->search.certificate = false;
}

const irl_option_info *irl_option_find(const char *name) {
  for (size_t i = 0; i < N_TABLE; i++)
    if (!strcmp(table[i].name, name)) return &table[i];
  return NULL;
}

irl_status irl_options_set(irl_env *env, irl_options *options, const char *name,
                           const char *value) {
  IRL_NEED(env, "env, options, name", env, options, name);
  const irl_option_info *info = irl_option_find(name);
  if (!info) return irl_fail(env, IRL_STATUS_BAD_ARGUMENT, "there is no option named '%s'", name);
  if (info->offset + irl_option_bytes(info) > options->size)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "these options have no %s: irl_options_init comes first", name);
  return irl_option_parse(env, info, options, value);
}

bool irl_option_is_set(const irl_option_info *info, const irl_options *options) {
  const void *field = (const char *)options + info->offset;
  irl_method word;
  switch (info->type) {
  case IRL_OPTION_FLAG:
    return *(const bool *)field != (info->preset != 0);
  case IRL_OPTION_INTEGER:
    return (double)*(const int64_t *)field != info->preset;
  case IRL_OPTION_REAL:
    return *(const double *)field != info->preset;
  case IRL_OPTION_WORD:
    memcpy(&word, field, sizeof word);
    return word != 0;
  case IRL_OPTION_CUTS:
    return ((const irl_cuts *)field)->method != IRL_CUT_DEFAULT;
  default:
    return *(const void *const *)field != NULL;
  }
}

void irl_cuts_render(const irl_cuts *cuts, char text[IRL_OPTION_SIZE]) {
  const uint32_t n = cuts->n_quantiles;
  if (cuts->method == IRL_CUT_DEFAULT)
    snprintf(text, IRL_OPTION_SIZE, "mdl:3");
  else if (cuts->method == IRL_CUT_ALL)
    snprintf(text, IRL_OPTION_SIZE, "all");
  else if (cuts->method == IRL_CUT_MDL && !n)
    snprintf(text, IRL_OPTION_SIZE, "mdl");
  else
    snprintf(text, IRL_OPTION_SIZE, "%s:%u", cuts->method == IRL_CUT_MDL ? "mdl" : "quantile",
             n ? n : DEFAULT_QUANTILES);
}

void irl_option_render(const irl_option_info *info, const irl_options *options,
                       char text[IRL_OPTION_SIZE]) {
  const void *field = (const char *)options + info->offset;
  irl_method word;
  assert(info->type == IRL_OPTION_WORD || info->type == IRL_OPTION_CUTS);
  *text = '\0';
  if (info->type == IRL_OPTION_WORD) {
    memcpy(&word, field, sizeof word);
    assert((unsigned)word < info->n_words);
    snprintf(text, IRL_OPTION_SIZE, "%s", info->words[word]);
  } else if (irl_option_is_set(info, options)) {
    irl_cuts_render(field, text);
  }
}
