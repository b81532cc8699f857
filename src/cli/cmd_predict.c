/* ireland predict RULE.json DATA: the class of each sample, how likely it is, and why.
 *
 * The data are read and the answer is written block by block, so that files and pipes of any length
 * take little memory. A file of -o appears whole or not at all. */
#include "cli/cli.h"
#include "ireland_data.h"
#include <stdio.h>
#include <string.h>

/* X(word, format, ending of a file of that kind) */
#define FORMAT_TABLE(X)                                                                            \
  X("tsv", IRL_FORMAT_TEXT, ".tsv")                                                                \
  X("csv", IRL_FORMAT_CSV, ".csv")                                                                 \
  X("jsonl", IRL_FORMAT_JSON_LINES, ".jsonl")                                                      \
  X("json", IRL_FORMAT_JSON, ".json")

#define FORMAT_ROW(word, format, ending) {word, format, ending},
static const struct {
  const char *word;
  irl_format format;
  const char *ending;
} formats[] = {FORMAT_TABLE(FORMAT_ROW)};
#define N_FORMATS (sizeof formats / sizeof *formats)

static bool ends_in(const char *path, const char *ending) {
  const size_t n = strlen(path), length = strlen(ending);
  return n > length && !strcmp(path + n - length, ending);
}

/* As --format or --json says, or the name of the output, or text. */
static int find_format(const cli *c, irl_format *format) {
  const char *words[N_FORMATS], *wanted = c->own.format;
  *format = cli_format(c);
  for (size_t i = 0; i < N_FORMATS; i++) {
    words[i] = formats[i].word;
    if (wanted ? !strcmp(wanted, formats[i].word)
               : !c->own.json && c->own.output && ends_in(c->own.output, formats[i].ending)) {
      *format = formats[i].format;
      if (wanted && c->own.json && *format != IRL_FORMAT_JSON)
        return cli_usage(c, "option --json is --format json; --format %s is another", wanted);
      return EXIT_DONE;
    }
  }
  if (!wanted) return EXIT_DONE;
  const char *nearest = irl_suggest(wanted, words, N_FORMATS);
  return cli_usage(c, "option --format takes tsv, csv, jsonl or json, not '%s'%s%s%s", wanted,
                   nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
}

/* To the file, or to standard output. */
static irl_status put(cli *c, irl_writer *writer, char *text) {
  irl_status status = IRL_STATUS_OK;
  if (!writer) {
    cli_print(c, text);
    return ferror(stdout) ? IRL_STATUS_CANNOT_WRITE : IRL_STATUS_OK;
  }
  status = irl_writer_add(c->env, writer, text, strlen(text));
  irl_text_free(c->env, text);
  return status;
}

/* All tables of the stream. */
static irl_status walk(cli *c, irl_stream *stream, irl_predictor *predictor, irl_writer *writer) {
  irl_table *table = NULL;
  char *text;
  irl_status status;
  while (!(status = irl_stream_next_table(c->env, stream, 0, &table)) && table) {
    status = irl_predictor_add_table(c->env, predictor, table, &text);
    irl_table_free(table);
    if (!status) status = put(c, writer, text);
    if (status) return status;
  }
  if (!status) status = irl_predictor_finish(c->env, predictor, &text);
  return status ? status : put(c, writer, text);
}

int cli_predict(cli *c) {
  irl_rule *rule = NULL;
  irl_predictor *predictor = NULL;
  irl_stream *stream = NULL;
  irl_writer *writer = NULL;
  irl_format format;
  const int code = find_format(c, &format);
  if (code) return code;
  irl_status status = irl_rule_read(c->env, c->arguments[0], &rule);
  if (!status) status = irl_predictor_create(c->env, rule, format, c->own.explain, &predictor);
  if (!status && c->own.decide) irl_predictor_decide(predictor);
  if (!status)
    status = irl_stream_open_file(c->env, c->arguments[1], &c->options, rule, false, &stream);
  if (!status && c->own.output) status = irl_writer_open(c->env, c->own.output, &writer);
  if (!status) status = walk(c, stream, predictor, writer);
  if (status && !ferror(stdout)) cli_fail(c, status); /* before closing says otherwise */
  const irl_status closed = irl_writer_close(c->env, writer, !status);
  if (!status && closed) cli_fail(c, closed);
  irl_stream_free(stream);
  irl_predictor_free(predictor);
  irl_rule_free(rule);
  if (ferror(stdout)) return EXIT_DONE; /* the end of the program says what is wrong with it */
  return cli_code_of(status ? status : closed);
}
