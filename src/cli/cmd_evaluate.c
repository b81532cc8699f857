/* ireland evaluate RULE.json DATA: how good a rule is on a data set.
 *
 * It goes through the data block by block, so that files of any size take little memory. */
#include "cli/cli.h"
#include "ireland_data.h"

static irl_status count(cli *c, const irl_rule *rule, irl_evaluator *evaluator) {
  irl_stream *stream = NULL;
  irl_data *data = NULL;
  irl_status status =
      irl_stream_open_file(c->env, c->arguments[1], &c->options, rule, true, &stream);
  while (!status && !(status = irl_stream_next(c->env, stream, 0, &data)) && data) {
    status = irl_evaluator_add(c->env, evaluator, data);
    irl_data_free(data);
  }
  irl_stream_free(stream);
  return status;
}

int cli_evaluate(cli *c) {
  irl_rule *rule = NULL;
  irl_evaluator *evaluator = NULL;
  char *text;
  irl_status status = irl_rule_read(c->env, c->arguments[0], &rule);
  if (!status) status = irl_evaluator_create(c->env, rule, &evaluator);
  if (!status) status = count(c, rule, evaluator);
  if (!status) status = irl_evaluator_render(c->env, evaluator, cli_format(c), &text);
  irl_evaluator_free(evaluator);
  irl_rule_free(rule);
  return status ? cli_fail(c, status) : cli_print(c, text);
}
