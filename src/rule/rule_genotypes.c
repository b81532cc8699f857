/* A rule on variants as a script for people who have genotypes, not tables of features.
 *
 * Both scripts take the genotypes by the tool that reads them best and leave the rule to awk:
 * plink2 writes the counts of the rule's alleles (--export A), bcftools the calls. What the rule
 * asks for stands in a document of its own in the script, one literal per line: number of the
 * clause, column, the counts on which it holds, as digits, with N if it holds on a missing call.
 * So no name is ever part of a program. They print what `ireland predict` says, a line per sample.
 */
#include "rule/rule_genotypes.h"
#include "rule/rule.h"
#include <assert.h>
#include <math.h>

/* The counts on which a literal holds; false: it asks for no counts of alleles. */
static bool find_counts(const irl_rule *rule, irl_literal literal, char counts[5]) {
  const uint32_t feature = irl_literal_feature(literal);
  const irl_named_condition asked = irl_condition_of(&rule->conditions, &rule->names, feature);
  const char *name = irl_names_get(&rule->names, feature);
  const size_t n = strlen(asked.column);
  name += *name == '!';
  if (strncmp(name, asked.column, n) ||
      (strcmp(name + n, ":dom") && strcmp(name + n, ":rec") && strcmp(name + n, ":het")))
    return false;
  const irl_condition c =
      irl_literal_is_negated(literal) ? irl_condition_opposite(&asked.condition) : asked.condition;
  size_t used = 0;
  for (int count = 0; count <= 2; count++)
    if (irl_condition_holds(&c, count)) counts[used++] = (char)('0' + count);
  if (irl_condition_holds(&c, (double)NAN)) counts[used++] = 'N';
  counts[used] = '\0';
  return true;
}

/* A name that can stand in a line of fields. */
static bool is_plain_name(const char *name) {
  for (; *name; name++)
    if ((unsigned char)*name <= ' ') return false;
  return true;
}

/* The identifier of a column is what stands before the allele. */
static size_t id_length(const char *column) {
  const char *last = strrchr(column, '_');
  return last && last > column ? (size_t)(last - column) : strlen(column);
}

/* The labels of who has the property and who has not, and the literals; `has_ids`: every variant
 * has an identifier, not a place alone. */
static irl_status put_literals(irl_env *env, irl_text *text, const irl_rule *rule, bool *has_ids) {
  const bool has_labels = rule->positive && rule->negative && is_plain_name(rule->positive) &&
                          is_plain_name(rule->negative);
  *has_ids = true;
  irl_text_printf(text, "%s\t%s\n", has_labels ? rule->positive : "1",
                  has_labels ? rule->negative : "0");
  for (size_t k = 0; k < rule->n_clauses; k++)
    for (size_t i = rule->start[k]; i < rule->start[k + 1]; i++) {
      char counts[5];
      const uint32_t feature = irl_literal_feature(rule->literals[i]);
      const char *column = irl_condition_of(&rule->conditions, &rule->names, feature).column;
      if (!find_counts(rule, rule->literals[i], counts))
        return irl_fail(env, IRL_STATUS_BAD_INPUT,
                        "'%s' asks for no count of alleles, so this rule cannot be a script for "
                        "genotypes; --to r or --to python takes all columns",
                        irl_names_get(&rule->names, feature));
      if (!is_plain_name(column))
        return irl_fail(env, IRL_STATUS_BAD_INPUT, "the variant '%s' has a blank in its name",
                        column);
      *has_ids &= !memchr(column, ':', id_length(column));
      irl_text_printf(text, "%zu\t%s\t%s\n", k + 1, column, counts);
    }
  return IRL_STATUS_OK;
}

/* The identifiers of the variants, and for plink2 the alleles that are counted. */
static void put_variants(irl_text *text, const irl_rule *rule, bool with_alleles) {
  const irl_names *columns =
      irl_has_conditions(&rule->conditions) ? &rule->conditions.columns : &rule->names;
  for (size_t i = 0; i < columns->n; i++) {
    const char *column = irl_names_get(columns, i);
    const size_t n = id_length(column);
    irl_text_printf(text, with_alleles && column[n] ? "%.*s\t%s\n" : "%.*s\n", (int)n, column,
                    column[n] ? column + n + 1 : "");
  }
}

static const char head[] = "set -eu\n"
                           "folder=$(mktemp -d)\n"
                           "trap 'rm -rf \"$folder\"' EXIT\n"
                           "cat >\"$folder/rule\" <<'END OF THE RULE'\n";

/* The end of both programs: `count[column]` is what the sample `name` has, 0, 1, 2 or N. */
static const char judge[] =
    "  function judge(name,    k, i, hits) {\n"
    "    hits = 0\n"
    "    for (k = 1; k <= n_clauses; k++) holds[k] = 1\n"
    "    for (i = 1; i <= n; i++) if (!index(counts[i], count[column[i]])) holds[clause[i]] = 0\n"
    "    for (k = 1; k <= n_clauses; k++) hits += holds[k]\n"
    "    print name \"\\t\" (hits > 0 ? yes : no)\n"
    "  }\n"
    "  NR == 1 { yes = $1; no = $2; next }\n"
    "  FNR == NR { clause[++n] = $1; column[n] = $2; counts[n] = $3; wanted[$2]; next }\n";

static void put_plink2(irl_text *text, const irl_rule *rule, bool has_ids) {
  irl_text_puts(text, "END OF THE RULE\ncat >\"$folder/variants\" <<'END OF THE RULE'\n");
  put_variants(text, rule, false);
  irl_text_puts(text, "END OF THE RULE\ncat >\"$folder/alleles\" <<'END OF THE RULE'\n");
  put_variants(text, rule, true);
  irl_text_puts(text, "END OF THE RULE\n"
                      "plink2 \"$@\" ");
  if (!has_ids) irl_text_puts(text, "--set-missing-var-ids @:# ");
  irl_text_puts(text, "--extract \"$folder/variants\" --export A --export-allele "
                      "\"$folder/alleles\" --out \"$folder/counts\" >\"$folder/log\" 2>&1 || {\n"
                      "  cat \"$folder/log\" >&2\n"
                      "  exit 3\n"
                      "}\n"
                      "awk -F '\\t' -v n_clauses=");
  irl_text_printf(text, "%zu '\n", rule->n_clauses);
  irl_text_puts(text, judge);
  irl_text_puts(
      text, "  FNR == 1 {\n"
            "    for (j = 7; j <= NF; j++) place[$j] = j\n"
            "    for (name in wanted) if (!(name in place)) {\n"
            "      print \"variant \" name \" is missing\" >\"/dev/stderr\"\n"
            "      exit 3\n"
            "    }\n"
            "    print \"sample\\tpredicted\"\n"
            "    next\n"
            "  }\n"
            "  {\n"
            "    for (name in wanted) {\n"
            "      value = $place[name]\n"
            "      count[name] = value == \"NA\" ? \"N\" : value > 1.5 ? 2 : value > 0.5 ? 1 : 0\n"
            "    }\n"
            "    judge($2)\n"
            "  }' \"$folder/rule\" \"$folder/counts.raw\"\n");
}

static void put_bcftools(irl_text *text, const irl_rule *rule, bool has_ids) {
  if (has_ids) {
    irl_text_puts(text, "END OF THE RULE\ncat >\"$folder/variants\" <<'END OF THE RULE'\n");
    put_variants(text, rule, false);
  }
  irl_text_puts(text, "END OF THE RULE\nbcftools query ");
  if (has_ids) irl_text_puts(text, "-i \"ID=@$folder/variants\" ");
  irl_text_puts(text, "-f '[%SAMPLE\\t%CHROM\\t%POS\\t%ID\\t%REF\\t%ALT\\t%GT\\n]' \"$@\" "
                      ">\"$folder/calls\"\n"
                      "awk -F '\\t' -v n_clauses=");
  irl_text_printf(text, "%zu '\n", rule->n_clauses);
  irl_text_puts(text, judge);
  irl_text_puts(
      text, "  FNR == 1 { print \"sample\\tpredicted\" }\n"
            "  !($1 in seen) { seen[$1]; order[++n_samples] = $1 }\n"
            "  {\n"
            "    id = $4 == \".\" ? $2 \":\" $3 : $4\n"
            "    n_alleles = split($5 \",\" $6, alleles, \",\")\n"
            "    n_calls = split($7, calls, /[|\\/]/)\n"
            "    for (a = 1; a <= n_alleles; a++) {\n"
            "      name = id \"_\" alleles[a]\n"
            "      long = id \":\" $5 \":\" alleles[a] \"_\" alleles[a]\n"
            "      if ($4 == \".\" && long in wanted) name = long\n"
            "      if (!(name in wanted)) continue\n"
            "      here[name]\n"
            "      value = 0\n"
            "      for (c = 1; c <= n_calls; c++)\n"
            "        if (calls[c] == \".\") value = \"N\"\n"
            "        else if (value != \"N\" && calls[c] == a - 1) value += n_calls == 1 ? 2 : 1\n"
            "      of[$1, name] = value\n"
            "    }\n"
            "  }\n"
            "  END {\n"
            "    for (name in wanted) if (!(name in here)) {\n"
            "      print \"variant \" name \" is missing\" >\"/dev/stderr\"\n"
            "      exit 3\n"
            "    }\n"
            "    for (s = 1; s <= n_samples; s++) {\n"
            "      for (name in wanted) count[name] = of[order[s], name]\n"
            "      judge(order[s])\n"
            "    }\n"
            "  }' \"$folder/rule\" \"$folder/calls\"\n");
}

irl_status irl_rule_export_genotypes(irl_env *env, const irl_rule *rule, bool is_plink,
                                     char **out) {
  irl_text text;
  bool has_ids;
  irl_text_init(&text, env);
  text.pace.env = env;
  irl_text_puts(&text, "#!/bin/sh\n# The label that a rule predicts for each "
                       "sample of a study.\n");
  irl_text_puts(&text, is_plink
                           ? "# usage: sh THIS --bfile STEM, or whatever plink2 reads genotypes "
                             "by (--pfile, --vcf)\n"
                           : "# usage: sh THIS FILE.vcf.gz, or a .bcf\n");
  irl_text_puts(&text, head);
  const irl_status status = put_literals(env, &text, rule, &has_ids);
  if (!status && is_plink) put_plink2(&text, rule, has_ids);
  if (!status && !is_plink) put_bcftools(&text, rule, has_ids);
  if (!status) return irl_text_take(&text, out);
  irl_text_drop(&text);
  return status;
}
