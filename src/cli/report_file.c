/* The page of --report, with the command that makes it again. */
#include "cli/cli.h"
#include "ireland_study.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As a shell reads it: plain words as they are, others in single quotes. */
static void put_word(FILE *stream, const char *word) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "_-+=./:,@%";
  fputc(' ', stream);
  if (*word && strspn(word, plain) == strlen(word)) {
    fputs(word, stream);
    return;
  }
  fputc('\'', stream);
  for (; *word; word++) fputs(*word == '\'' ? "'\\''" : (char[]){*word, '\0'}, stream);
  fputc('\'', stream);
}

/* The words of the command; NULL: there is no memory for them. */
static char *command_of(const cli *c) {
  char *command = NULL;
  size_t size;
  FILE *stream = open_memstream(&command, &size);
  if (!stream) return NULL;
  fprintf(stream, "ireland %s", c->command->name);
  for (int i = 0; i < c->n_words; i++) put_word(stream, c->words[i]);
  if (!fclose(stream)) return command;
  free(command);
  return NULL;
}

void cli_save_cv_report(cli *c, const irl_cv_result *result) {
  char *html = NULL;
  if (!c->own.report) return;
  char *command = command_of(c);
  irl_status status = irl_cv_report(c->env, result, command, &html);
  if (!status) status = irl_file_write(c->env, c->own.report, html, strlen(html));
  cli_note_file(c, status);
  irl_text_free(c->env, html);
  free(command);
}

void cli_save_report(cli *c, const irl_fit_result *fit, const irl_curve *curve) {
  irl_curve *made = NULL;
  irl_status status = IRL_STATUS_OK;
  char *html = NULL;
  if (!c->own.report) return;
  char *command = command_of(c);
  if (!curve) {
    irl_options options = c->options;
    options.output.sizes = true;
    options.search.certificate = false; /* the rule has it, not the points of the page */
    status = irl_curve_make(c->env, fit, &options, &made);
  }
  if (!status)
    status = irl_report_render(c->env, fit, curve ? curve : made, &c->options, command, &html);
  if (!status) status = irl_file_write(c->env, c->own.report, html, strlen(html));
  cli_note_file(c, status);
  irl_text_free(c->env, html);
  irl_curve_free(made);
  free(command);
}
