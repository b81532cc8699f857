/* Cells of CSV text, one at a time: quotes, blanks, line ends. */
#include "base/c_locale.h"
#include "base/memory.h"
#include "read/csv.h"

static bool ends_cell(char c, char delimiter) {
  return c == delimiter || c == '\n';
}

/* A quoted cell: `at` is the quote. Doubled quotes stay doubled here. Blanks may follow it, unless
 * they are the delimiter. */
static bool read_quoted(csv_piece *p, const char *at, char delimiter, csv_cell *found) {
  const char *close = at + 1;
  p->has_quotes = true;
  for (; close < p->end; close++) {
    if (*close == '\n') p->has_quoted_line_end = true;
    if (*close != '"') continue;
    if (close + 1 < p->end && close[1] == '"')
      close++;
    else
      break;
  }
  if (close >= p->end) return false;
  found->text = at + 1;
  found->length = (size_t)(close - at - 1);
  for (at = close + 1; at < p->end && (*at == ' ' || *at == '\r') && *at != delimiter; at++) {
  }
  if (at < p->end && !ends_cell(*at, delimiter)) return false;
  found->after = at < p->end ? *at : '\0';
  found->next = at < p->end ? at + 1 : at;
  return true;
}

bool irl_csv_cell(csv_piece *p, const char *at, char delimiter, csv_cell *found) {
  while (at < p->end && *at == ' ' && delimiter != ' ') at++;
  if (at < p->end && *at == '"') return read_quoted(p, at, delimiter, found);
  const char *stop = at;
  while (stop < p->end && !ends_cell(*stop, delimiter)) stop++;
  found->after = stop < p->end ? *stop : '\0';
  found->next = stop < p->end ? stop + 1 : stop;
  while (stop > at && (stop[-1] == ' ' || stop[-1] == '\r' || stop[-1] == '\t')) stop--;
  found->text = at;
  found->length = (size_t)(stop - at);
  return true;
}

char *irl_csv_unquote(irl_env *env, const char *text, size_t length, size_t *unquoted_length) {
  char *copy = irl_mem_alloc(&env->allocator, length + 1, 1);
  size_t n = 0;
  for (size_t i = 0; copy && i < length; i++) {
    copy[n++] = text[i];
    if (text[i] == '"' && i + 1 < length && text[i + 1] == '"') i++;
  }
  *unquoted_length = n;
  return copy;
}

bool irl_csv_mistake(csv_piece *p, const char *at, const char *format, ...) {
  va_list arguments;
  p->mistake.at = at;
  va_start(arguments, format);
  irl_c_vsnprintf(p->mistake.text, sizeof p->mistake.text, format, arguments);
  va_end(arguments);
  return false;
}

bool irl_csv_check_end(const csv_plan *plan, csv_piece *p, const csv_cell *c, size_t column) {
  const bool is_last = column + 1 == plan->n_columns, has_more = c->after == plan->delimiter;
  if (has_more != is_last) return true;
  return irl_csv_mistake(p, has_more ? c->next - 1 : c->text + c->length,
                         "this row has %s%zu columns, where %s has %zu",
                         has_more ? "more than " : "", column + 1,
                         plan->source->no_header ? "the first row" : "the header", plan->n_columns);
}

irl_status irl_csv_check_piece(const csv_plan *plan, const csv_piece *p) {
  if (p->out_of_memory) return irl_fail_memory(plan->env);
  if (p->is_cut) return irl_reading_fail(plan->env, plan->source->path);
  return p->mistake.at ? irl_csv_fail(plan, p->mistake.at, "%s", p->mistake.text) : IRL_OK;
}
