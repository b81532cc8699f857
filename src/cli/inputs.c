/* Files that options name: the library takes rules, pools and bytes, and hands out checkpoints as
 * bytes; here they are read before a command begins, and written. */
#include "cli/cli.h"

static int save_checkpoint(void *user, irl_bytes checkpoint) {
  cli *c = user;
  const irl_status status =
      irl_file_write(c->env, c->own.checkpoint, checkpoint.data, checkpoint.size);
  if (status && c->own.quiet && !c->has_told_checkpoint) { /* the log says so where there is one */
    cli_print_warning(irl_env_error(c->env));
    c->has_told_checkpoint = true;
  }
  return status;
}

int cli_read_inputs(cli *c) {
  irl_status status = IRL_STATUS_OK;
#define READ_ROW(option, group)                                                                    \
  if (!status && c->own.option) {                                                                  \
    status = irl_file_read(c->env, c->own.option, &c->files[CLI_FILE_##option]);                   \
    c->options.group.option = &c->files[CLI_FILE_##option];                                        \
  }
  CLI_FILE_TABLE(READ_ROW)
#undef READ_ROW
  if (!status && c->own.start) status = irl_rule_read(c->env, c->own.start, &c->start);
  if (!status && c->own.pool) status = irl_pool_read(c->env, c->own.pool, &c->pool);
  if (status) return cli_fail(c, status);
  c->sink = (irl_checkpoint_sink){sizeof c->sink, save_checkpoint, c, c->own.checkpoint};
  c->options.search.start = c->start;
  c->options.search.pool = c->pool;
  c->options.search.checkpoint = c->own.checkpoint ? &c->sink : NULL;
  c->options.output.predictions = c->own.predictions != NULL;
  c->options.search.certificate = c->own.certificate && !(c->command->jobs & IRL_FOR_VERIFY);
  return EXIT_DONE;
}

void cli_free_inputs(cli *c) {
  for (int i = 0; i < CLI_N_FILES; i++) irl_bytes_free(c->env, &c->files[i]);
  irl_rule_free(c->start);
  irl_pool_free(c->pool);
}

void cli_save_pool(cli *c, const irl_fit_result *fit) {
  irl_pool *pool = NULL;
  if (!c->own.save_pool) return;
  irl_status status = irl_fit_pool(c->env, fit, &pool);
  if (!status) status = irl_pool_write(c->env, pool, c->own.save_pool);
  cli_note_file(c, status);
  irl_pool_free(pool);
}
