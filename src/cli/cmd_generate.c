/* ireland generate -o FILE: planted data. */
#include "cli/cli.h"
#include "ireland_data.h"
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

int cli_generate(cli *c) {
  irl_data *data;
  irl_rule *rule;
  irl_data_info info = IRL_SIZED(irl_data_info);
  char *text;
  struct stat about;
  if (!c->own.output) return cli_usage(c, "generate needs -o FILE");
  irl_status status = irl_generate(c->env, &c->options, &data, &rule);
  if (status) return cli_fail(c, status);
  /* Both files or none: the rule is the smaller one and comes first. */
  if (c->own.rule) status = irl_rule_write(c->env, rule, c->own.rule);
  if (!status) {
    status = irl_data_write(c->env, data, c->own.output);
    if (status && c->own.rule && !lstat(c->own.rule, &about) && S_ISREG(about.st_mode))
      unlink(c->own.rule);
  }
  irl_data_describe(data, &info);
  if (!status && c->own.json)
    status = irl_data_render(c->env, data, IRL_FORMAT_JSON, &text);
  else if (!status)
    cli_note(c, "%s: %" PRIu64 " samples, %" PRIu64 " of them cases, %" PRIu64 " features",
             c->own.output, info.samples, info.cases, info.features);
  irl_rule_free(rule);
  irl_data_free(data);
  if (status) return cli_fail(c, status);
  return c->own.json ? cli_print(c, text) : EXIT_DONE;
}
