/* ireland export RULE.json --to LANGUAGE: the rule as code. */
#include "cli/cli.h"
#include <string.h>

int cli_export(cli *c) {
  irl_rule *rule;
  char *text;
  if (c->own.json) return cli_usage(c, "option --json has no effect on export, which prints code");
  if (!c->own.to)
    return cli_usage(c,
                     "export needs --to c, python, sql, r, javascript, plink2, bcftools or text");
  irl_status status = irl_rule_read(c->env, c->arguments[0], &rule);
  if (status) return cli_fail(c, status);
  status = irl_rule_export(c->env, rule, c->own.to, &text);
  irl_rule_free(rule);
  if (status) return cli_fail(c, status);
  if (!c->own.output) return cli_print(c, text);
  status = irl_file_write(c->env, c->own.output, text, strlen(text));
  irl_text_free(c->env, text);
  return status ? cli_fail(c, status) : EXIT_DONE;
}
