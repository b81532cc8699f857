#include "table/one_per.h"
#include "base/memory.h"
#include "data/word_rows.h"

/* A file on its way. */
typedef struct reader {
  irl_env *env;
  const irl_table *table;
  irl_word_rows rows;
  irl_names groups; /* indexed */
  irl_names ids;    /* of the variants, indexed: the names of columns without their alleles */
  uint32_t *first;  /* column of each id, */
  uint32_t *next;   /* and the next one of the same id; UINT32_MAX: none */
  size_t n_lines, n_unknown;
} reader;

static irl_status put(const reader *r, irl_one_per *one_per, uint32_t column, uint32_t group) {
  if (one_per->group[column] && one_per->group[column] != group)
    return irl_word_rows_fail(&r->rows, r->rows.line, "a second group for the column '%.200s'",
                              irl_names_get(&r->table->names, column));
  one_per->group[column] = group;
  return IRL_STATUS_OK;
}

/* The current line. */
static irl_status take_line(reader *r, irl_one_per *one_per) {
  const irl_slice *words = r->rows.words;
  if (*words[0].text == '#') return IRL_STATUS_OK;
  if (r->rows.n > 2)
    return irl_word_rows_fail(&r->rows, r->rows.line,
                              "a line has a column and its group, and no more");
  if (r->rows.n < 2)
    return irl_word_rows_fail(&r->rows, r->rows.line, "there is no group after '%.*s'",
                              (int)(words[0].length < 200 ? words[0].length : 200), words[0].text);
  uint32_t group;
  if (!irl_names_intern(&r->groups, words[1].text, words[1].length, &group))
    return irl_fail_memory(r->env);
  r->n_lines++;
  const uint32_t column = irl_names_find(&r->table->names, words[0].text, words[0].length);
  if (column != IRL_NO_NAME && r->table->columns[column].type != IRL_COLUMN_IGNORED)
    return put(r, one_per, column, group + 1);
  const uint32_t id = irl_names_find(&r->ids, words[0].text, words[0].length);
  irl_status status = IRL_STATUS_OK;
  r->n_unknown += id == IRL_NO_NAME;
  for (uint32_t c = id == IRL_NO_NAME ? UINT32_MAX : r->first[id]; c != UINT32_MAX && !status;
       c = r->next[c])
    status = put(r, one_per, c, group + 1);
  return status;
}

/* The variants by their identifiers. */
static bool index_ids(reader *r) {
  const irl_table *table = r->table;
  const size_t n = table->names.n;
  r->first = irl_mem_alloc(&r->env->allocator, n, sizeof *r->first);
  r->next = irl_mem_alloc(&r->env->allocator, n, sizeof *r->next);
  bool done = r->first && r->next && irl_names_index(&r->ids, NULL);
  for (uint32_t j = (uint32_t)n; j-- > 0 && done;) {
    const char *name = irl_names_get(&table->names, j), *allele = strrchr(name, '_');
    const size_t before = r->ids.n;
    uint32_t id;
    if (table->columns[j].type != IRL_COLUMN_SNP || !allele) continue;
    done = irl_names_intern(&r->ids, name, (size_t)(allele - name), &id);
    if (!done) break;
    r->next[j] = r->ids.n == before ? r->first[id] : UINT32_MAX;
    r->first[id] = j;
  }
  return done;
}

irl_status irl_one_per_init(irl_env *env, irl_one_per *one_per, const irl_table *table,
                            const irl_bytes *file, bool is_part) {
  *one_per = (irl_one_per){.allocator = env->allocator};
  if (!file) return IRL_STATUS_OK;
  reader r = {.env = env, .table = table, .rows = irl_word_rows_open(env, file, "bytes")};
  r.rows.blanks = " \t\r,";
  irl_names_init(&r.groups, &env->allocator);
  irl_names_init(&r.ids, &env->allocator);
  one_per->group = irl_mem_alloc(&env->allocator, table->names.n, sizeof *one_per->group);
  irl_status status = one_per->group && index_ids(&r) ? IRL_STATUS_OK : irl_fail_memory(env);
  while (!status && irl_word_rows_next(&r.rows, &status)) status = take_line(&r, one_per);
  one_per->number = irl_mem_alloc(&env->allocator, r.groups.n + 1, sizeof *one_per->number);
  if (!one_per->number && !status) status = irl_fail_memory(env);
  if (!status && r.n_unknown == r.n_lines)
    status = irl_fail(env, IRL_STATUS_BAD_INPUT, "%s: none of the columns of %s is in a group",
                      r.rows.path, table->path);
  if (!status && r.n_unknown && !is_part)
    irl_log(env, IRL_LOG_NOTE, "%s: %zu of %zu lines name no column that is there", r.rows.path,
            r.n_unknown, r.n_lines);
  irl_word_rows_close(&r.rows);
  irl_names_free(&r.groups);
  irl_names_free(&r.ids);
  irl_mem_free(&env->allocator, r.first);
  irl_mem_free(&env->allocator, r.next);
  if (status) irl_one_per_free(one_per);
  return status;
}

uint32_t irl_one_per_group(irl_one_per *one_per, size_t column) {
  const uint32_t group = one_per->group ? one_per->group[column] : 0;
  if (!group) return 0;
  if (!one_per->number[group]) one_per->number[group] = ++one_per->n_numbers;
  return one_per->number[group] | IRL_GROUP_BINDS;
}

void irl_one_per_free(irl_one_per *one_per) {
  if (!one_per->allocator.resize) return;
  irl_mem_free(&one_per->allocator, one_per->group);
  irl_mem_free(&one_per->allocator, one_per->number);
  *one_per = (irl_one_per){0};
}
