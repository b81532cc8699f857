/* ireland generate -o FILE: planted data. */
#include "cli/cli.h"
#include <sys/stat.h>
#include <unistd.h>

/* Both files or none: the rule is the smaller one and comes first. */
static irl_status write_both(const cli *c, const irl_data *data, const irl_rule *rule) {
  irl_status status = IRL_OK;
  if (c->own.rule) status = irl_rule_write(c->env, rule, c->own.rule);
  if (status) return status;
  status = irl_data_write(c->env, data, c->own.output);
  struct stat about;
  if (status && c->own.rule && !lstat(c->own.rule, &about) && S_ISREG(about.st_mode))
    unlink(c->own.rule);
  return status;
}

int cli_generate(cli *c) {
  irl_data *data;
  irl_rule *rule;
  if (!c->own.output) return cli_usage(c, "generate needs -o FILE");
  irl_status status = irl_generate(c->env, &c->options, &data, &rule);
  if (status) return cli_fail(c, status);
  status = write_both(c, data, rule);
  const int code = status ? cli_fail(c, status) : cli_report_data(c, data, c->own.output);
  irl_rule_free(rule);
  irl_data_free(data);
  return code;
}
