/* What is said of tables of genotypes beside their columns. */
#ifndef IRL_TABLE_GENOTYPE_RENDER_H
#define IRL_TABLE_GENOTYPE_RENDER_H

#include "base/fields.h"
#include "table/raw_table.h"

#define IRL_GENOTYPE_ROWS 20u /* columns of genotypes that the text lists */

irl_status irl_genotypes_print(irl_env *env, const irl_table *table, irl_text *text);
/* A member `genotypes` of the open object. */
irl_status irl_genotypes_put(irl_env *env, const irl_table *table, irl_json *json);

#endif
