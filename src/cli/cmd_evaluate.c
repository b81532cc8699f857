/* ireland evaluate RULE.json DATA: how good a rule is on a data set.
 * ireland predict RULE.json DATA: the class of each sample, and why.
 *
 * Both go through the data block by block, so that files of any size take little memory. */
#include "cli/cli.h"
#include "ireland_data.h"

/* Calls `add` for each block of the data. */
static irl_status walk(cli *c, const irl_rule *rule, bool labelled,
                       irl_status (*add)(cli *c, void *user, const irl_data *data), void *user) {
  irl_stream *stream = NULL;
  irl_data *data = NULL;
  irl_status status =
      irl_stream_open_file(c->env, c->arguments[1], &c->options, rule, labelled, &stream);
  while (!status && !(status = irl_stream_next(c->env, stream, 0, &data)) && data) {
    status = add(c, user, data);
    irl_data_free(data);
  }
  irl_stream_free(stream);
  return status;
}

static irl_status count(cli *c, void *user, const irl_data *data) {
  return irl_evaluator_add(c->env, user, data);
}

int cli_evaluate(cli *c) {
  irl_rule *rule = NULL;
  irl_evaluator *evaluator = NULL;
  char *text;
  irl_status status = irl_rule_read(c->env, c->arguments[0], &rule);
  if (!status) status = irl_evaluator_create(c->env, rule, &evaluator);
  if (!status) status = walk(c, rule, true, count, evaluator);
  if (!status) status = irl_evaluator_render(c->env, evaluator, cli_format(c), &text);
  irl_evaluator_free(evaluator);
  irl_rule_free(rule);
  return status ? cli_fail(c, status) : cli_print(c, text);
}

static irl_status print(cli *c, void *user, const irl_data *data) {
  char *text;
  const irl_status status = irl_predictor_add(c->env, user, data, &text);
  if (!status) cli_print(c, text);
  return status;
}

int cli_predict(cli *c) {
  irl_rule *rule = NULL;
  irl_predictor *predictor = NULL;
  char *text;
  irl_status status = irl_rule_read(c->env, c->arguments[0], &rule);
  if (!status)
    status = irl_predictor_create(c->env, rule, cli_format(c), c->own.explain, &predictor);
  if (!status) status = walk(c, rule, false, print, predictor);
  if (!status) status = irl_predictor_finish(c->env, predictor, &text);
  irl_predictor_free(predictor);
  irl_rule_free(rule);
  return status ? cli_fail(c, status) : cli_print(c, text);
}
