/* The header of a CSV file: delimiter, names, label column; and the plan for a body of bits. */
#include "base/c_locale.h"
#include "base/memory.h"
#include "base/number.h"
#include "read/csv.h"
#include <stdlib.h>

/* How often `c` delimits cells in the line at `*at`, which moves on to the next line. `is_odd`: a
 * quote is not closed, or text follows it. */
static size_t count_in_line(const char **at, const char *end, char c, bool *is_odd) {
  const char *p = *at;
  bool is_quoted = false, starts_cell = true, is_closed = false;
  size_t n = 0;
  for (; p < end && (*p != '\n' || is_quoted); p++) {
    if (is_quoted && *p == '"' && p + 1 < end && p[1] == '"') {
      p++;
    } else if (*p == '"' && (is_quoted || starts_cell)) {
      is_closed = is_quoted;
      is_quoted = !is_quoted;
    } else if (is_closed && !is_quoted && *p != c && *p != ' ' && *p != '\r') {
      *is_odd = true;
    }
    if (is_quoted) continue;
    n += *p == c;
    starts_cell = *p == c || (starts_cell && *p == ' ');
    is_closed = is_closed && *p != c;
  }
  *is_odd |= is_quoted;
  *at = p < end ? p + 1 : end;
  return n;
}

static const char candidates[] = ",\t;| ";

/* One line and another that is not blank, both with their ends. */
static bool has_two_lines(const char *at, const char *end, char delimiter) {
  bool is_odd = false;
  count_in_line(&at, end, delimiter, &is_odd);
  at = irl_csv_skip_blank_lines(at, end);
  if (at == end) return false;
  count_in_line(&at, end, delimiter, &is_odd);
  return at < end;
}

bool irl_csv_has_header(const char *text, const char *end, char delimiter) {
  if (delimiter) return has_two_lines(text, end, delimiter);
  for (const char *c = candidates; *c; c++)
    if (!has_two_lines(text, end, *c)) return false;
  return true;
}

#define LINES_SEEN 100u /* to find the delimiter */

/* The one that gives most cells, as many in every line: names and texts may hold other delimiters.
 * If none does, the one that stands most often in the first line. Blanks count only if nothing else
 * fits. */
static char find_delimiter(const char *text, const char *end) {
  size_t best = 0;
  bool best_fits = false;
  char delimiter = ',';
  for (const char *c = candidates; *c; c++) {
    const char *at = text;
    bool is_odd = false, is_equal = true;
    const size_t n = count_in_line(&at, end, *c, &is_odd);
    for (unsigned i = 0; i < LINES_SEEN && n && !is_odd && is_equal; i++) {
      at = irl_csv_skip_blank_lines(at, end);
      if (at == end) break;
      bool is_line_odd = false;
      const size_t found = count_in_line(&at, end, *c, &is_line_odd);
      /* What is left of a line at the end of a part of a file says nothing, but for the second. */
      if (i && at == end && end[-1] != '\n') break;
      is_equal = found == n;
      is_odd = is_line_odd;
    }
    const bool fits = n && !is_odd && is_equal;
    if (best_fits > fits || (best_fits == fits && best >= n)) continue;
    if (*c == ' ' && best && best_fits) continue;
    best = n;
    best_fits = fits;
    delimiter = *c;
  }
  return delimiter;
}

/* Says what is wrong with the name of a column, at its place in the first line. */
static irl_status refuse_column(const csv_plan *plan, size_t column, const char *before,
                                const char *after) {
  csv_piece line = {.start = plan->header, .end = plan->end};
  csv_cell c = {.next = plan->header};
  for (size_t i = 0; i <= column; i++) irl_csv_cell(&line, c.next, plan->delimiter, &c);
  return irl_csv_fail(plan, c.text, "%s '%.200s' %s", before, irl_names_get(&plan->columns, column),
                      after);
}

/* Is a column called as those are that identify samples: id, patient_id, SampleID, MRN? */
static bool is_called_id(const char *name) {
  static const char *const whole[] = {"id",  "iid",     "sample",     "subject", "patient",
                                      "mrn", "uuid",    "identifier", "case_no", "record",
                                      "key", "barcode", "accession",  "name"};
  const size_t n = strlen(name);
  for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
    if (n == strlen(whole[i]) && irl_c_equal_ignoring_case(name, whole[i], n)) return true;
  if (n < 3 || !irl_c_equal_ignoring_case(name + n - 2, "id", 2)) return false;
  const char before = name[n - 3];
  return strchr("_-. ", before) || (name[n - 2] == 'I' && before >= 'a' && before <= 'z');
}

/* The column that identifies samples: the one that is asked for, the first that is called so, or
 * the row names. A column that the rule asks about, or the labels, is none. */
static irl_status find_id(csv_plan *plan, size_t target) {
  const irl_source *source = plan->source;
  const char *wanted = source->id;
  plan->id = 0;
  if (!source->keeps_ids) return IRL_STATUS_OK;
  for (size_t i = 0; i < plan->n_columns && !plan->id; i++) {
    const char *name = irl_names_get(&plan->columns, i);
    const bool is_free =
        i != target && irl_names_find(source->only, name, strlen(name)) == IRL_NO_NAME;
    if (wanted && !strcmp(name, wanted) && !is_free)
      return irl_fail(plan->env, IRL_STATUS_BAD_INPUT,
                      "%s: column '%s' has %s, so it cannot be what identifies samples",
                      source->path, name, i == target ? "the labels" : "values the rule asks for");
    const bool is_fit =
        wanted ? !strcmp(name, wanted)
               : !source->no_header && (is_called_id(name) || (!i && plan->has_row_names));
    if (is_free && is_fit) plan->id = i + 1;
  }
  if (!wanted || plan->id) return IRL_STATUS_OK;
  const char *nearest = irl_names_suggest(&plan->columns, wanted, strlen(wanted));
  return irl_csv_fail(plan, plan->header, "there is no column '%.150s' for --id" IRL_HINT, wanted,
                      IRL_HINT_OF(nearest));
}

irl_status irl_csv_find_target(csv_plan *plan) {
  const irl_source *source = plan->source;
  const char *wanted = source->target;
  uint32_t found;
  if (!irl_names_index(&plan->columns, &found)) return irl_fail_memory(plan->env);
  if (found != IRL_NO_NAME) {
    const char *name = irl_names_get(&plan->columns, found);
    double value;
    return refuse_column(plan, found, "column name",
                         irl_number_parse(name, strlen(name), &value)
                             ? "is there twice; --no-header if the first line is data"
                             : "is there twice");
  }
  plan->target = source->labels_optional || wanted ? plan->n_columns : plan->n_columns - 1;
  if (wanted) {
    char *end;
    const unsigned long number = strtoul(wanted, &end, 10);
    found = irl_names_find(&plan->columns, wanted, strlen(wanted));
    if (found != IRL_NO_NAME)
      plan->target = found;
    else if (*wanted >= '0' && *wanted <= '9' && !*end && number >= 1 && number <= plan->n_columns)
      plan->target = number - 1;
  }
  if (wanted && plan->target == plan->n_columns && !source->labels_optional) {
    const char *nearest = irl_names_suggest(&plan->columns, wanted, strlen(wanted));
    return irl_csv_fail(plan, plan->header, "there is no column '%.150s' for the labels" IRL_HINT,
                        wanted, IRL_HINT_OF(nearest));
  }
  const size_t target = plan->target; /* it is no identifier, used or not */
  if (source->no_labels) plan->target = plan->n_columns;
  return find_id(plan, target);
}

/* A leading ! marks a negation wherever a literal is written. */
irl_status irl_csv_check_name(const csv_plan *plan, size_t column) {
  if (*irl_names_get(&plan->columns, column) != '!') return IRL_STATUS_OK;
  return refuse_column(plan, column, "feature name", "starts with '!', the negation sign");
}

irl_status irl_csv_add_step(csv_plan *plan, enum csv_kind kind) {
  if (!plan->n_steps || plan->steps[plan->n_steps - 1].kind != kind) {
    if (!irl_mem_reserve(&plan->env->allocator, &plan->steps, &plan->steps_capacity, plan->n_steps,
                         sizeof *plan->steps))
      return irl_fail_memory(plan->env);
    plan->steps[plan->n_steps++] = (csv_step){kind, 0};
  }
  plan->steps[plan->n_steps - 1].n++;
  plan->n_kept += kind == CSV_KEEP;
  return IRL_STATUS_OK;
}

/* A number with a comma: which digits follow it? 3: they may be thousands. 0: it is none. */
static size_t digits_after_comma(const csv_cell *c) {
  const char *comma = memchr(c->text, ',', c->length), *end = c->text + c->length;
  double value;
  if (!comma || !irl_csv_number(true, c->text, c->length, &value)) return 0;
  size_t n = 0;
  for (comma++; comma < end && *comma >= '0' && *comma <= '9'; comma++) n++;
  return n;
}

/* Are decimals written with a comma, as spreadsheets of many countries do it, which then separate
 * cells by semicolons? Some number of the first lines has to say so, and none may have a point. */
static bool find_decimal_commas(const csv_plan *plan, const csv_piece *body) {
  csv_piece lines = *body;
  bool is_sure = false;
  const char *at = body->start;
  if (plan->delimiter == ',') return false;
  for (unsigned i = 0; i < LINES_SEEN && at < body->end; i++) {
    csv_cell c = {.after = plan->delimiter, .next = irl_csv_skip_blank_lines(at, body->end)};
    while (c.after == plan->delimiter) {
      double value;
      if (!irl_csv_cell(&lines, c.next, plan->delimiter, &c)) return false;
      if (memchr(c.text, '.', c.length) && irl_csv_number(false, c.text, c.length, &value))
        return false;
      const size_t digits = digits_after_comma(&c);
      is_sure |= digits && digits != 3;
    }
    at = c.next;
  }
  return is_sure;
}

irl_status irl_csv_header(csv_plan *plan, csv_piece *whole) {
  const irl_source *source = plan->source;
  const char *at = plan->header = whole->start;
  plan->delimiter =
      source->delimiter ? source->delimiter : find_delimiter(whole->start, whole->end);
  /* The cells of the first line are names; without a header they are only counted. */
  csv_cell c = {.after = plan->delimiter};
  for (; c.after == plan->delimiter; at = c.next) {
    const size_t number = plan->columns.n + 1;
    char made[32], *text = NULL;
    size_t length;
    if (!irl_csv_cell(whole, at, plan->delimiter, &c))
      return irl_csv_fail(plan, at, "a quote is not closed, or text follows it");
    if (source->no_header) {
      length = (size_t)snprintf(made, sizeof made, "f%zu", number);
    } else {
      if (memchr(c.text, '\0', c.length))
        return irl_csv_fail(plan, c.text, "a NUL byte; this is not a text file");
      text = irl_csv_unquote(plan->env, c.text, c.length, &length);
      if (!text) return irl_fail_memory(plan->env);
      if (!length) {
        length = (size_t)snprintf(made, sizeof made, "column %zu", number);
        if (number == 1)
          plan->has_row_names = true;
        else if (!source->only)
          irl_log(plan->env, IRL_LOG_WARNING, "%s: column %zu has no name and is called '%s'",
                  source->path, number, made);
      }
    }
    const bool added = irl_names_add(&plan->columns, text && *text ? text : made, length);
    irl_mem_free(&plan->env->allocator, text);
    if (!added) return irl_fail_memory(plan->env);
  }
  plan->n_columns = plan->columns.n;
  if (!source->no_header) whole->start = at;
  plan->has_decimal_commas =
      source->decimal ? source->decimal == ',' : find_decimal_commas(plan, whole);
  return irl_csv_find_target(plan);
}
