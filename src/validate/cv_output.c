/* What a cross-validation hands on: the command that fits the chosen setting to all samples, and
 * the predictions of the folds. */
#include "base/contract.h"
#include "base/memory.h"
#include "base/text.h"
#include "ireland_study.h"
#include "validate/cv_validator.h"
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

/* The samples of a fold, by the chosen setting and by the one that was chosen without it. */
static void put_fold(irl_text *text, const irl_cv_validator *v, uint32_t chosen, uint32_t o) {
  const irl_resampling *p = &v->parts;
  const char *const names[2] = {p->table->negative ? p->table->negative : "0",
                                p->table->positive ? p->table->positive : "1"};
  const uint32_t fold = o % p->n_folds,
                 *fold_of = p->fold_of + (size_t)(o / p->n_folds) * p->rows.n;
  const uint32_t settings[2] = {chosen, v->nested[o]};
  uint64_t n = 0, k = 0;
  for (uint32_t i = 0; i < p->rows.n; i++) n += fold_of[i] == fold;
  for (uint32_t i = 0; i < p->rows.n; i++) {
    if (fold_of[i] != fold) continue;
    const uint32_t sample = irl_rows_sample(&p->rows, i);
    const uint32_t number = p->table->numbers ? p->table->numbers[sample] : sample;
    irl_text_printf(text, "%u,%u,%u,", number + 1, o / p->n_folds + 1, fold + 1);
    irl_text_cell(text, names[p->labels[i]], false);
    for (int c = 0; c < (p->n_inner ? 2 : 1); c++) {
      const uint64_t at = settings[c] * n + k;
      irl_text_puts(text, ",");
      if (irl_cv_has_score(v, o, settings[c]))
        irl_text_cell(text, names[v->predicted[o][at / 64] >> at % 64 & 1], false);
    }
    irl_text_puts(text, "\n");
    k++;
  }
}

irl_status irl_cv_make_predictions(const irl_cv_validator *v, uint32_t chosen, char **csv) {
  irl_text text;
  irl_text_init(&text, v->env);
  irl_text_printf(&text, "sample,repeat,fold,label,predicted%s\n",
                  v->parts.n_inner ? ",nested" : "");
  for (uint32_t o = 0; o < v->parts.n_outer; o++) put_fold(&text, v, chosen, o);
  return irl_text_take(&text, csv);
}

irl_status irl_cv_predictions(irl_env *env, const irl_cv_result *result, char **csv) {
  IRL_NEED(env, "env, result, csv", env, result, csv);
  if (!result->wants_predictions)
    return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                    "the cross-validation was made without the option predictions");
  char *copy = result->predictions ? irl_mem_copy_text(&env->allocator, result->predictions,
                                                       strlen(result->predictions))
                                   : NULL;
  if (!copy) return irl_fail_memory(env);
  *csv = copy;
  return IRL_STATUS_OK;
}
