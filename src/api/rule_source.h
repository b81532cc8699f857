/* What a rule wants of a file. */
#ifndef IRL_API_RULE_SOURCE_H
#define IRL_API_RULE_SOURCE_H

#include "rule/rule.h"
#include "rule/training.h"
#include "table/raw_table.h"

/* It points to its own parts, so it stays where it is. */
typedef struct irl_rule_source {
  irl_source source;
  irl_options options;
  irl_names columns; /* of the rule, */
  uint8_t *types;    /* and their types */
  const irl_rule *rule;
  bool needs_labels; /* those that cannot be read are a mistake */
  irl_surprises surprises;
  uint64_t n_samples; /* that were looked at */
} irl_rule_source;

/* To be freed also if it fails. */
irl_status irl_rule_source_init(irl_env *env, const char *path, const irl_options *options,
                                const irl_rule *rule, bool labelled, irl_rule_source *rule_source);
/* The file as a whole. */
irl_status irl_rule_source_read(irl_env *env, irl_rule_source *rule_source, irl_table **table);
/* What every table that was read goes through: its classes become the rule's, and its values are
 * looked at. */
irl_status irl_rule_source_note(irl_env *env, irl_rule_source *rule_source, irl_table *table);
/* What was read and looked at, as data for the rule. */
irl_status irl_rule_source_data(irl_env *env, const irl_rule_source *rule_source, irl_table *table,
                                irl_data **data);
void irl_rule_source_free(irl_env *env, irl_rule_source *rule_source);

#endif
