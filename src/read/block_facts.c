/* What the blocks of a file tell of the whole: labels, and rows that are wrong. They are judged in
 * the order in which a whole reading would: cells that do not fit their column, then labels. */
#include "base/memory.h"
#include "base/text.h"
#include "read/block_parts.h"

void irl_facts_reset(irl_facts *facts, const irl_allocator *allocator) {
  irl_names_free(&facts->labels);
  irl_names_free(&facts->raw);
  *facts = (irl_facts){.misfit_column = SIZE_MAX};
  irl_names_init(&facts->labels, allocator);
  irl_names_init(&facts->raw, allocator);
}

bool irl_facts_add_label(irl_facts *facts, const char *label, const char *raw, size_t raw_length,
                         irl_place at) {
  const size_t n = facts->labels.n;
  uint32_t number;
  if (n == IRL_MOST_LABELS) return true;
  if (!irl_names_intern(&facts->labels, label, strlen(label), &number)) return false;
  if (facts->labels.n == n) return true;
  facts->label_at[n] = irl_place_find(at);
  return irl_names_add(&facts->raw, raw, raw_length);
}

void irl_facts_add_misfit(irl_facts *facts, size_t column, const char *why) {
  if (column >= facts->misfit_column) return;
  facts->misfit_column = column;
  snprintf(facts->misfit, sizeof facts->misfit, "%s", why);
}

/* One label against all others: what these are called, as the readers of whole files do it. */
static irl_status resolve_rest(irl_blocks *b, const char *value) {
  const irl_names *labels = &b->facts.labels;
  const uint32_t found = irl_names_find(labels, value, strlen(value));
  const bool is_pair = b->is_libsvm ? labels->n == 1 : labels->n == 2 && found != IRL_NO_NAME;
  irl_text rest;
  b->is_rest = b->is_libsvm ? labels->n != 1 : labels->n != 2;
  irl_mem_free(&b->allocator, b->rest);
  b->rest = NULL;
  irl_text_init(&rest, b->env);
  if (is_pair)
    irl_text_puts(&rest, irl_names_get(labels, b->is_libsvm ? 0 : 1 - found));
  else
    irl_text_printf(&rest, "not %s", value);
  return irl_text_take(&rest, &b->rest);
}

static irl_status fail_changed(const irl_blocks *b) {
  const irl_position at = b->facts.label_at[1];
  return irl_fail(
      b->env, IRL_STATUS_BAD_INPUT,
      "%s:%zu:%zu: label '%.40s' comes too late in a pipe to tell the cases; --positive "
      "names theirs",
      b->asked.path, at.line, at.column, irl_names_get(&b->facts.labels, 1));
}

/* Which label has the cases; blocks that were handed out are not to be wrong. */
static irl_status resolve_labels(irl_blocks *b) {
  const irl_facts *f = &b->facts;
  const char *column = b->is_libsvm ? "label" : irl_names_get(&b->header.columns, b->header.target);
  int positive;
  irl_labels known = {.n = f->labels.n};
  if (f->labels.n > 2)
    return irl_fail(
        b->env, IRL_STATUS_BAD_INPUT,
        "%s:%zu:%zu: '%.40s' is the third label in column '%.150s'; two are allowed, or "
        "--vs-rest VALUE for one of them against all others",
        b->asked.path, f->label_at[2].line, f->label_at[2].column, irl_names_get(&f->labels, 2),
        column);
  for (size_t i = 0; i < known.n; i++) {
    known.text[i] = irl_names_get(&f->raw, i);
    known.length[i] = strlen(known.text[i]);
  }
  const irl_status status =
      irl_labels_resolve(b->env, &b->asked, &known, f->label_at[0], column, &positive);
  if (status) return status;
  for (size_t i = 0; i < known.n; i++) {
    const bool is_case = (int)i == positive;
    if (i < b->n_resolved && b->is_case[i] != is_case) return fail_changed(b);
    b->is_case[i] = is_case;
    if (positive < 0) continue;
    *(is_case ? &b->source.positive : &b->source.negative) = irl_names_get(&f->labels, i);
  }
  b->n_resolved = known.n;
  return IRL_STATUS_OK;
}

irl_status irl_blocks_judge(irl_blocks *b) {
  irl_env *env = b->env;
  const irl_facts *f = &b->facts;
  const irl_place end = {b->asked.path, b->text + b->at, b->text + b->used, b->before};
  const bool has_labels =
      b->is_libsvm ? !b->asked.no_labels : b->header.target < b->header.n_columns;
  b->source.is_typed |= f->has_values;
  if (b->is_over && !f->n_rows)
    return irl_source_fail(
        env, end, "%s", b->is_libsvm ? "the file has no samples" : "no samples follow the header");
  if (b->is_over && b->is_libsvm && !f->has_features)
    return irl_source_fail(env, end, "the file has no features");
  if (*f->misfit && !b->is_libsvm) return irl_fail(env, IRL_STATUS_BAD_INPUT, "%s", f->misfit);
  if (has_labels && *f->unlabelled) return irl_fail(env, IRL_STATUS_BAD_INPUT, "%s", f->unlabelled);
  irl_status status = IRL_STATUS_OK;
  if (has_labels && b->asked.vs_rest)
    status = resolve_rest(b, b->asked.vs_rest);
  else if (has_labels && f->labels.n > b->n_resolved)
    status = resolve_labels(b);
  return !status && *f->misfit ? irl_fail(env, IRL_STATUS_BAD_INPUT, "%s", f->misfit) : status;
}
