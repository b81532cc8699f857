/* Whose checkpoint it is, as a text of lines 'NAME VALUE': the version, the job, the data, the
 * clauses that it begins with, and every option of which the option table says that it changes the
 * result. Two runs with the same text take the same course. */
#include "base/text.h"
#include "learn/fit.h"
#include <inttypes.h>

/* Goes up when the parts of a run come in another order: checkpoints from before do not fit then.
 */
#define CHECKPOINT_ORDER 3u

/* On one line, no two values the same. */
static void put_option(irl_text *text, const irl_option_info *info, const irl_options *options) {
  const void *field = (const char *)options + info->offset;
  irl_text_printf(text, "%s ", info->name);
  if (info->type == IRL_FLAG) irl_text_puts(text, *(const bool *)field ? "on" : "off");
  if (info->type == IRL_INTEGER) irl_text_printf(text, "%" PRId64, *(const int64_t *)field);
  if (info->type == IRL_REAL) irl_text_printf(text, "%.17g", *(const double *)field);
  const char *at = info->type == IRL_TEXT ? *(const char *const *)field : NULL;
  if (info->type == IRL_TEXT) irl_text_puts(text, at ? "'" : "not given");
  for (; at && *at; at++) {
    const bool is_plain = (unsigned char)*at >= ' ' && *at != '\\';
    irl_text_printf(text, is_plain ? "%c" : "\\%02x", (unsigned char)*at);
  }
  irl_text_puts(text, info->type == IRL_TEXT && *(const char *const *)field ? "'\n" : "\n");
}

irl_status irl_fit_job(const irl_learner *learner, const irl_options *options, char **out) {
  size_t n;
  const irl_option_info *table = irl_options_table(&n);
  irl_data_info info;
  irl_text text;
  irl_data_describe(learner->data, &info);
  irl_text_init(&text, learner->env);
  irl_text_printf(&text, "version %s-%u\n", IRL_VERSION, CHECKPOINT_ORDER);
  irl_text_printf(&text, "command %s\n", learner->settings.for_curve ? "curve" : "fit");
  irl_text_printf(&text, "data %016" PRIx64 "\n", info.checksum);
  irl_text_printf(&text, "clauses %016" PRIx64 "\n", irl_clause_set_hash(&learner->pool));
  /* What only making data or a curve needs is left out: the selections of a curve have keys of
   * their own (curve_checkpoint.c). */
  for (size_t i = 0; i < n; i++)
    if (table[i].changes && table[i].jobs != IRL_FOR_CURVE && table[i].jobs != IRL_FOR_GENERATE)
      put_option(&text, &table[i], options);
  return irl_text_take(&text, out);
}
