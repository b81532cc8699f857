/* What a rule remembers of the samples that it was learnt from: how many cases and controls had
 * each pattern of clauses, and which values its columns had. Rule files have it as "training";
 * older ones have none.
 *
 *   "training": {
 *     "cases": 139, "controls": 164,
 *     "patterns": [{"fires": [1, 3], "cases": 20, "controls": 1}, ...],
 *     "columns": [{"column": "age", "low": 29, "high": 77},
 *                 {"column": "sex", "values": ["female", "male"]}]
 *   }
 *
 * A pattern is the clauses that hold on a sample, by their numbers from 1. The most frequent ones
 * are listed; what is missing to all samples had one of the others, in which some clause holds. */
#ifndef IRL_RULE_TRAINING_H
#define IRL_RULE_TRAINING_H

#include "base/json.h"
#include "rule/rule.h"
#include "table/raw_table.h"

/* The values of a column. */
typedef struct irl_known {
  bool is_number;
  double low, high; /* of a number */
  irl_names values; /* of a category, indexed */
} irl_known;

struct irl_training {
  irl_allocator allocator;
  size_t n_clauses;
  uint64_t n[2];         /* controls, cases, */
  uint64_t listed[2];    /* with a pattern that is listed, */
  uint64_t none[2];      /* and on which no clause holds */
  irl_names keys;        /* of patterns, indexed: a character per clause, 1 if it holds */
  uint64_t (*counts)[2]; /* of each: controls, cases */
  size_t counts_capacity;
  irl_names columns; /* indexed */
  irl_known *known;
  size_t known_capacity;
};

/* Counts the patterns of the rule's clauses on data: the most frequent ones, so many, that in which
 * no clause holds first. They take the place of *training. */
irl_status irl_training_of(irl_env *env, const irl_rule *rule, const irl_data *data, size_t most,
                           irl_training **training);
/* The rule gets those that its file will have. */
irl_status irl_training_count(irl_env *env, irl_rule *rule, const irl_data *data);
/* Adds the values that the rule's columns have in these rows of a table to the rule's counts. */
irl_status irl_training_note(irl_env *env, irl_rule *rule, const irl_table *table,
                             const irl_rows *rows);
void irl_training_put(irl_json *json, const char *key, const irl_training *training);
/* Reads it for a rule that has its clauses. */
irl_status irl_training_get(const irl_json_source *source, const irl_json_value *value,
                            irl_rule *rule);
void irl_training_free(irl_training *training);

/* The samples learnt from that are like one with this pattern, and the share of cases: shrunk to
 * that of all samples which the rule predicts alike, as if two more of these were there, which
 * itself is shrunk so to the share of cases among all, and that to one half. The interval of Wilson
 * for the counts themselves always holds the share. */
typedef struct irl_likeness {
  uint64_t cases, samples;
  double share, low, high;
} irl_likeness;
irl_likeness irl_training_find(const irl_training *training, const char *pattern);

/* What is known of a column; NULL: nothing. */
const irl_known *irl_training_known(const irl_training *training, const char *column);

/* ---- values that were never seen ---- */

#define IRL_SURPRISES_SHOWN 5u /* new values of a column that are told apart */

typedef struct irl_surprise {
  irl_names values;                     /* of a category: the first new ones, indexed, */
  uint64_t counts[IRL_SURPRISES_SHOWN]; /* how many samples have them, */
  uint64_t first[IRL_SURPRISES_SHOWN];  /* and the first of these, from 1 */
  uint64_t n_outside, first_outside;    /* samples with other new values, or numbers out of range */
  double least, most;
} irl_surprise;

/* What is surprising in tables that are looked at one after another. */
typedef struct irl_surprises {
  irl_allocator allocator;
  const irl_training *training; /* NULL: nothing is known, so nothing is new */
  irl_surprise *columns;        /* of each that is known */
} irl_surprises;

irl_status irl_surprises_init(irl_env *env, irl_surprises *surprises, const irl_rule *rule);
void irl_surprises_free(irl_surprises *surprises);
/* Looks at a table whose first sample has that number, from 0. */
irl_status irl_surprises_look(irl_env *env, irl_surprises *surprises, const irl_table *table,
                              uint64_t first);
/* Says what there was, as warnings, and forgets it. */
void irl_surprises_tell(irl_env *env, irl_surprises *surprises, const char *path);
/* Is the value of a sample one that the column did not have? */
bool irl_known_lacks(const irl_known *known, const irl_column *column, uint32_t sample);

#endif
