/* What a cross-validation hands on: the command that fits the chosen setting to all samples, and
 * the predictions of the folds. */
#include "base/contract.h"
#include "base/memory.h"
#include "base/text.h"
#include "ireland_study.h"
#include "validate/cv.h"
#include <inttypes.h>

/* ---- the command ---- */

/* As a shell reads it: plain words as they are, others in single quotes. */
static void put_word(irl_text *text, const char *word, size_t length) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "_-+=./:,@%";
  const bool is_plain = length && strspn(word, plain) >= length;
  irl_text_puts(text, is_plain ? " " : " '");
  for (size_t i = 0; i < length; i++)
    irl_text_puts(text, word[i] == '\'' ? "'\\''" : (char[]){word[i], '\0'});
  if (!is_plain) irl_text_puts(text, "'");
}

static void put_name(irl_text *text, const irl_option_info *info) {
  irl_text_puts(text, info->name[1] ? " --" : " -");
  for (const char *at = info->name; *at; at++)
    irl_text_puts(text, *at == '_' ? "-" : (char[]){*at, '\0'});
}

/* One option; lists that were given in several parts have a line for each. */
static void put_option(irl_text *text, const irl_option_info *info, const irl_options *options) {
  const char *field = (const char *)options + info->offset;
  char words[IRL_OPTION_SIZE];
  if (info->type == IRL_OPTION_TEXT) {
    for (const char *at = *(const char *const *)field, *end; at; at = *end ? end + 1 : NULL) {
      end = at + strcspn(at, "\n");
      put_name(text, info);
      put_word(text, at, (size_t)(end - at));
    }
    return;
  }
  if (info->type == IRL_OPTION_OBJECT) { /* of those that cv takes, files that were read */
    const irl_bytes *bytes = *(const irl_bytes *const *)field;
    if (!bytes->name) return;
    put_name(text, info);
    put_word(text, bytes->name, strlen(bytes->name));
    return;
  }
  put_name(text, info);
  if (info->type == IRL_OPTION_INTEGER)
    irl_text_printf(text, " %" PRId64, *(const int64_t *)field);
  else if (info->type == IRL_OPTION_REAL)
    irl_text_printf(text, " %.15g", *(const double *)field);
  else if (info->type != IRL_OPTION_FLAG) {
    irl_option_render(info, options, words);
    irl_text_printf(text, " %s", words);
  }
}

irl_status irl_cv_make_command(irl_env *env, const irl_table *table, const irl_options *options,
                               irl_cv_result *result) {
  const irl_cv_row *chosen = &result->rows[result->info.chosen];
  const unsigned jobs = IRL_FOR_READ | IRL_FOR_COLUMNS | IRL_FOR_CODE | IRL_FOR_LEARN | IRL_FOR_FIT;
  irl_text text;
  size_t n;
  const irl_option_info *all = irl_options_table(&n);
  assert(result->info.chosen < result->info.rows && !result->command);
  irl_text_init(&text, env);
  irl_text_puts(&text, "ireland fit");
  put_word(&text, table->path, strlen(table->path));
  irl_text_printf(&text, " -K %u -M %u", chosen->K, chosen->M);
  if (chosen->penalty > 0) irl_text_printf(&text, " --penalty %.15g", chosen->penalty);
  if (chosen->negations) irl_text_puts(&text, " --negations");
  for (size_t i = 0; i < n; i++) {
    const bool is_seed = !strcmp(all[i].name, "seed");
    if (!irl_option_is_set(&all[i], options) || (!(all[i].jobs & jobs) && !is_seed)) continue;
    if (!strcmp(all[i].name, "K") || !strcmp(all[i].name, "M") || !strcmp(all[i].name, "penalty") ||
        !strcmp(all[i].name, "negations"))
      continue;
    put_option(&text, &all[i], options);
  }
  return irl_text_take(&text, &result->command);
}

/* ---- predictions ---- */

void irl_cv_pack(const uint8_t *predicted, size_t n, size_t first, uint64_t *bits) {
  for (size_t i = 0; i < n; i++)
    bits[(first + i) / 64] |= (uint64_t)(predicted[i] != 0) << (first + i) % 64;
}

irl_status irl_cv_keep_names(irl_env *env, const irl_table *table, irl_cv_result *result) {
  result->data_path = irl_mem_copy_text(&env->allocator, table->path, strlen(table->path));
  if (!result->data_path) return irl_fail_memory(env);
  const char *const names[2] = {table->negative, table->positive};
  for (int c = 0; c < 2; c++) {
    const char *name = names[c] ? names[c] : c ? "1" : "0";
    result->label_names[c] = irl_mem_copy_text(&env->allocator, name, strlen(name));
    if (!result->label_names[c]) return irl_fail_memory(env);
  }
  return IRL_STATUS_OK;
}

/* The samples of a fold, by the chosen setting and by the one that was chosen without it. */
static void put_fold(irl_text *text, const irl_cv_result *result, uint32_t o) {
  const uint32_t repeat = o / result->folds, fold = o % result->folds;
  const uint32_t *fold_of = result->fold_of + (size_t)repeat * result->samples;
  const uint64_t *bits = result->predicted[o];
  const uint32_t numbers[2] = {result->info.chosen, result->nested_chosen[o]};
  uint64_t n = 0, k = 0;
  for (uint64_t i = 0; i < result->samples; i++) n += fold_of[i] == fold;
  for (uint64_t i = 0; i < result->samples; i++) {
    if (fold_of[i] != fold) continue;
    const uint64_t number = result->numbers ? result->numbers[i] : i;
    irl_text_printf(text, "%" PRIu64 ",%u,%u,", number + 1, repeat + 1, fold + 1);
    irl_text_cell(text, result->label_names[result->labels[i]], false);
    for (int c = 0; c < (result->inner_folds ? 2 : 1); c++) {
      const uint64_t at = numbers[c] * n + k;
      irl_text_puts(text, ",");
      if (numbers[c] < result->info.rows && result->is_ended[2 * o + (uint32_t)c])
        irl_text_cell(text, result->label_names[bits[at / 64] >> at % 64 & 1], false);
    }
    irl_text_puts(text, "\n");
    k++;
  }
}

irl_status irl_cv_predictions(irl_env *env, const irl_cv_result *result, char **csv) {
  IRL_NEED(env, "env, result, csv", env, result, csv);
  irl_text text;
  if (!result->predicted)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "the cross-validation was made without the option predictions");
  if (!result->has_predictions) return irl_fail_memory(env);
  irl_text_init(&text, env);
  irl_text_printf(&text, "sample,repeat,fold,label,predicted%s\n",
                  result->inner_folds ? ",nested" : "");
  for (uint32_t o = 0; o < result->folds * result->repeats; o++) put_fold(&text, result, o);
  return irl_text_take(&text, csv);
}
