/* Rules on variants as scripts over plink2 and bcftools. */
#ifndef IRL_RULE_RULE_GENOTYPES_H
#define IRL_RULE_RULE_GENOTYPES_H

#include "ireland.h"

/* `is_plink`: over plink2, otherwise over bcftools. Fails if the rule asks for more than counts of
 * alleles. */
irl_status irl_rule_export_genotypes(irl_env *env, const irl_rule *rule, bool is_plink,
                                     char **text);

#endif
