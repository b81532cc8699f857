/* The head of a certificate: data, limits, loss and rule, each held against what is there. */
#include "base/c_locale.h"
#include "base/clock.h"
#include "base/memory.h"
#include "rule/rule_json.h"
#include "verify/verify_parts.h"
#include <assert.h>
#include <stdarg.h>
#include <xxhash.h>

irl_status irl_verify_reject(irl_verify_replay *v, size_t line, const char *format, ...) {
  va_list arguments;
  assert(line && *format);
  v->result->line = line;
  va_start(arguments, format);
  irl_c_vsnprintf(v->result->reason, sizeof v->result->reason, format, arguments);
  va_end(arguments);
  return IRL_STATUS_BAD_INPUT;
}

/* ---- lines: words with a single blank between them, a newline after the last ---- */

bool irl_verify_is_word(const irl_verify_line *line, uint32_t i, const char *word) {
  return i < line->n && line->length[i] == strlen(word) &&
         !memcmp(line->word[i], word, line->length[i]);
}

bool irl_verify_number(const irl_verify_line *line, uint32_t i, uint64_t most, uint64_t *number) {
  if (i >= line->n || (line->length[i] > 1 && line->word[i][0] == '0')) return false;
  uint64_t value = 0;
  for (size_t k = 0; k < line->length[i]; k++) {
    const char digit = line->word[i][k];
    if (digit < '0' || digit > '9' || value > (UINT64_MAX - 9) / 10) return false;
    value = 10 * value + (uint64_t)(digit - '0');
  }
  if (value > most) return false;
  *number = value;
  return true;
}

irl_status irl_verify_expect_line(irl_verify_replay *v) {
  irl_verify_text *text = &v->text;
  irl_verify_line *line = &text->line;
  line->number++;
  line->n = 0;
  const char *at = text->at, *end = memchr(at, '\n', (size_t)(text->end - at));
  for (const char *stop; end && at <= end; at = stop + 1) {
    stop = memchr(at, ' ', (size_t)(end - at));
    if (!stop) stop = end;
    if (stop == at || line->n == IRL_VERIFY_MAX_WORDS) end = NULL;
    if (!end) break;
    line->word[line->n] = at;
    line->length[line->n++] = (size_t)(stop - at);
  }
  if (!end)
    return irl_verify_reject(v, line->number,
                             text->at == text->end ? "the file ends" : "not a line of words");
  text->at = end + 1;
  assert(line->n && text->at <= text->end);
  return IRL_STATUS_OK;
}

irl_status irl_verify_expect(irl_verify_replay *v, const char *pattern, uint64_t *numbers) {
  const irl_status status = irl_verify_expect_line(v);
  const irl_verify_line *line = &v->text.line;
  uint32_t i = 0;
  if (status) return status;
  for (const char *at = pattern; *at; i++) {
    const size_t length = strcspn(at, " ");
    if (*at == '#' ? !irl_verify_number(line, i, INT64_MAX, numbers++)
                   : i >= line->n || line->length[i] != length || memcmp(line->word[i], at, length))
      return irl_verify_reject(v, line->number, "'%s' is expected here", pattern);
    assert(length);
    at += length + (at[length] == ' ');
  }
  return i == line->n ? IRL_STATUS_OK
                      : irl_verify_reject(v, line->number, "'%s' is expected here", pattern);
}

void irl_verify_name_cut(irl_verify_replay *v) {
  const irl_verify_meter *meter = &v->meter;
  const irl_limit *limit = &meter->limit;
  char *reason = v->result->reason;
  assert(!v->result->line);
  if (irl_stopped(v->env))
    irl_c_snprintf(reason, IRL_VERIFY_REASON, "interrupted");
  else if (meter->is_full && limit->max_mb <= 0)
    irl_c_snprintf(reason, IRL_VERIFY_REASON,
                   "its lists would take more than %zu MB; --memory-limit allows more",
                   meter->max_bytes / 1000000);
  else if (meter->is_guarded && meter->work >= limit->max_work)
    irl_c_snprintf(reason, IRL_VERIFY_REASON,
                   "it takes more than %.0e words of work; --work-limit or --time-limit allow more",
                   (double)limit->max_work);
  else
    irl_c_snprintf(reason, IRL_VERIFY_REASON, "limit on %s",
                   meter->work >= limit->max_work                             ? "work"
                   : limit->deadline > 0 && irl_clock_now() > limit->deadline ? "time"
                                                                              : "memory");
}

irl_status irl_verify_read_head(irl_verify_replay *v) {
  static const char key[] = "scope ";
  const size_t length = sizeof key - 1;
  uint64_t version;
  irl_arena arena;
  irl_json_value *root;
  irl_verify_text *text = &v->text;
  irl_status status = irl_verify_expect(v, "ireland certificate #", &version);
  if (status) return status;
  if (version < IRL_VERIFY_VERSION)
    return irl_verify_reject(
        v, 1,
        "it was made by an older ireland and does not say all that it is about: make it "
        "again with fit --prove --certificate");
  if (version > IRL_VERIFY_VERSION)
    return irl_verify_reject(v, 1, "it was made by a newer ireland: version %llu is not known here",
                             (unsigned long long)version);
  /* The scope is all of a line: its JSON has blanks. */
  const char *at = text->at, *end = memchr(at, '\n', (size_t)(text->end - at));
  text->line.number++;
  if (!end || (size_t)(end - at) < length || memcmp(at, key, length))
    return irl_verify_reject(v, text->line.number, "'scope' with an object is expected here");
  text->at = end + 1;
  irl_arena_init(&arena, &v->env->allocator);
  status = irl_json_parse(v->env, "scope", at + length, (size_t)(end - at) - length, &arena, &root);
  const irl_json_source source = {v->env, "scope", at + length};
  if (!status) status = irl_scope_get(&source, root, &v->scope);
  irl_arena_free(&arena);
  if (status != IRL_STATUS_BAD_INPUT) return status;
  return irl_verify_reject(v, text->line.number, "%s", irl_env_error(v->env));
}

/* The line of what the features ask: it must be what those of the data do. */
static irl_status read_features(irl_verify_replay *v) {
  irl_verify_text *text = &v->text;
  char *own;
  irl_status status = irl_rule_format_features(v->env, v->data, &own);
  if (status) return status;
  const size_t length = strlen(own), key = sizeof "features " - 1;
  text->line.number++;
  if ((size_t)(text->end - text->at) < key + length || memcmp(text->at, "features ", key) ||
      memcmp(text->at + key, own, length))
    status = irl_verify_reject(v, text->line.number, "the features of the data ask something else");
  else
    text->at += key + length;
  irl_text_free(v->env, own);
  return status;
}

irl_status irl_verify_read_data(irl_verify_replay *v) {
  const irl_data *data = v->data;
  const uint64_t n1 = irl_data_total(data, 0), n0 = irl_data_total(data, 1);
  char checksum[17], pattern[80];
  uint64_t numbers[4];
  snprintf(checksum, sizeof checksum, "%016llx", (unsigned long long)irl_data_checksum(data));
  snprintf(pattern, sizeof pattern, "data %s samples # cases # controls # features #", checksum);
  const irl_status status = irl_verify_expect(v, pattern, numbers);
  if (status && v->text.line.n == 10)
    return irl_verify_reject(
        v, v->text.line.number,
        "the certificate is for other data, or data read with other options (checksum %s here)%s",
        checksum,
        irl_data_has_weights(data)
            ? ", or from an ireland that copied samples by their weights: make it again"
            : "");
  if (status) return status;
  if (numbers[0] != n1 + n0 || numbers[1] != n1 || numbers[2] != n0 ||
      numbers[3] != data->n_features)
    return irl_verify_reject(v, v->text.line.number, "the data has other sizes");
  return read_features(v);
}

bool irl_verify_read_literals(const irl_verify_replay *v, uint32_t *at, irl_literal *literals,
                              uint32_t *n) {
  const irl_verify_line *line = &v->text.line;
  for (*n = 0; *at < line->n; ++*at) {
    irl_verify_line word = {.n = 1, .word = {line->word[*at]}, .length = {line->length[*at]}};
    const bool negated = word.word[0][0] == '!';
    uint64_t feature;
    if (negated) word.word[0]++, word.length[0]--;
    if (!word.length[0] || word.word[0][0] < '0' || word.word[0][0] > '9') return !negated;
    if (!irl_verify_number(&word, 0, v->data->n_features, &feature) || !feature ||
        (negated && !v->limits.negations) || *n == v->limits.M)
      return false;
    literals[*n] = irl_literal_make((uint32_t)feature - 1, negated);
    if (*n && irl_literal_feature(literals[*n]) <= irl_literal_feature(literals[*n - 1]))
      return false;
    ++*n;
  }
  return true;
}

irl_status irl_verify_read_clause(irl_verify_replay *v, irl_literal *literals, uint32_t *n) {
  uint32_t at = 1;
  const irl_status status = irl_verify_expect_line(v);
  if (status) return status;
  const irl_verify_line *line = &v->text.line;
  if (!irl_verify_is_word(line, 0, "clause") || !irl_verify_read_literals(v, &at, literals, n) ||
      at != line->n || !*n)
    return irl_verify_reject(v, line->number, "a clause is expected here");
  for (uint32_t i = 0; i < *n; i++)
    for (uint32_t j = 0; j < i; j++)
      if (irl_data_are_bound(v->data->groups, irl_literal_feature(literals[i]),
                             irl_literal_feature(literals[j])))
        return irl_verify_reject(v, line->number, "a clause has two literals of a group");
  return IRL_STATUS_OK;
}

irl_status irl_verify_read_rule(irl_verify_replay *v) {
  const irl_verify_text before = v->text;
  const uint32_t K = (uint32_t)v->limits.K, M = (uint32_t)v->limits.M;
  const irl_allocator *allocator = &v->env->allocator;
  irl_rule *made = NULL;
  irl_text text;
  uint64_t n;
  irl_status status = irl_verify_expect(v, "rule #", &n);
  if (status) return status;
  if (n > K)
    return irl_verify_reject(v, v->text.line.number, "the rule has %llu clauses",
                             (unsigned long long)n);
  uint32_t *sizes = irl_mem_alloc(allocator, K, sizeof *sizes);
  irl_literal *literals = irl_mem_alloc(allocator, (size_t)K * M, sizeof *literals);
  if (!sizes || !literals) status = irl_fail_memory(v->env);
  for (uint32_t k = 0; k < n && !status; k++)
    status = irl_verify_read_clause(v, literals + (size_t)k * M, &sizes[k]);
  if (!status) {
    const irl_clause_list list = {K, M, (uint32_t)n, sizes, literals};
    status = irl_rule_from_literals(v->env, v->data, &list, &made);
  }
  irl_mem_free(allocator, sizes);
  irl_mem_free(allocator, literals);
  if (status) return status;
  v->rule = made;
  v->text = before;
  irl_text_init(&text, v->env);
  if (v->data->is_reflected)
    irl_rule_print_cnf(&text, made);
  else
    irl_rule_print_all(&text, made);
  char *shown = NULL;
  status = irl_text_take(&text, &shown);
  if (!status) irl_c_snprintf(v->result->rule, sizeof v->result->rule, "%s", shown);
  irl_text_free(v->env, shown);
  return status;
}

/* Reads clause k of the certificate, which is that of the rule. */
static irl_status read_same_clause(irl_verify_replay *v, const irl_bound_rule *bound, size_t k,
                                   irl_literal *literals, uint32_t *n) {
  const irl_rule *rule = v->rule;
  const irl_status status = irl_verify_read_clause(v, literals, n);
  if (status) return status;
  const size_t line = v->text.line.number;
  bool is_same = rule->start[k + 1] - rule->start[k] == *n;
  for (uint32_t i = 0; i < *n && is_same; i++) {
    bool is_there = false;
    for (size_t l = rule->start[k]; l < rule->start[k + 1]; l++)
      is_there |= irl_bound_rule_literal(bound, rule->literals[l]) == literals[i];
    is_same = is_there;
  }
  if (is_same) return IRL_STATUS_OK;
  return irl_verify_reject(v, line, "clause %zu of the rule is another one", k + 1);
}

/* ---- the rule ---- */

irl_status irl_verify_check_rule(irl_verify_replay *v) {
  const irl_rule *rule = v->rule;
  irl_verify_state state = {0}, next = {0};
  irl_literal literals[IRL_VERIFY_MAX_M];
  irl_bound_rule bound;
  uint32_t size;
  uint64_t n;
  irl_status status = irl_verify_expect(v, "rule #", &n);
  if (status) return status;
  if (n != rule->n_clauses || n > v->limits.K)
    return irl_verify_reject(v, v->text.line.number, "the rule has %zu clauses", rule->n_clauses);
  status = irl_rule_bind(v->env, rule, v->data, &bound);
  if (status == IRL_STATUS_BAD_INPUT) /* it has literals that ask other things than the data */
    return irl_verify_reject(v, v->text.line.number, "%s", irl_env_error(v->env));
  if (status) return status;
  uint64_t *cover = irl_verify_new_column(&v->all);
  if (!cover) status = irl_fail_memory(v->env);
  if (!status) status = irl_verify_state_root(&v->all, &v->limits, &state);
  if (!status) status = irl_verify_state_init(&v->all, &next);
  for (size_t k = 0; k < rule->n_clauses && !status; k++) {
    status = read_same_clause(v, &bound, k, literals, &size);
    if (status) break;
    irl_verify_cover(&v->all, state.live, literals, size, cover);
    irl_verify_take(&v->all, &v->limits, &state, cover, size, &next);
    const irl_verify_state swap = state;
    state = next;
    next = swap;
  }
  assert(status || state.left == v->limits.K - rule->n_clauses);
  v->result->loss = state.cost_so_far + state.uncovered;
  v->result->cases =
      irl_data_total(v->data, 0) - (uint64_t)(state.uncovered / v->limits.weights.of_case);
  v->result->controls = (uint64_t)(state.controls / v->limits.weights.of_control);
  if (!status && v->result->loss != v->limits.best)
    status = irl_verify_reject(v, v->text.line.number, "the rule has loss %lld, not %lld",
                               (long long)v->result->loss, (long long)v->limits.best);
  if (!status && !irl_verify_is_within(&v->limits, &state))
    status = irl_verify_reject(v, v->text.line.number, "the rule is not within the limits");
  irl_verify_state_free(v->env, &state);
  irl_verify_state_free(v->env, &next);
  irl_mem_free_aligned(&v->env->allocator, cover);
  irl_bound_rule_free(v->env, &bound);
  return status;
}
