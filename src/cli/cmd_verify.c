/* ireland verify [RULE.json] DATA --certificate FILE: replays proofs. What they are about, and how
 * the data are read and coded, stands in each certificate; options that are given must say the
 * same. A file may hold several, as that of a curve does, one for each proven point. Without a rule
 * it is the one that the certificate has, and is shown. */
#include "cli/cli.h"
#include <stdio.h>
#include <string.h>

/* Proofs of a file, and how they ended. */
typedef struct proofs {
  irl_rule *rule; /* NULL: the certificates' own */
  size_t n, n_valid;
  bool is_one, is_cut;
} proofs;

/* The first certificate of a text of that size: up to the next line that begins one. */
static size_t first_part(const char *text, size_t size) {
  static const char mark[] = "\nireland certificate ";
  const size_t length = sizeof mark - 1;
  for (size_t i = 0; i + length <= size; i++) {
    const char *at = memchr(text + i, '\n', size - i);
    if (!at || (size_t)(text + size - at) < length) break;
    i = (size_t)(at - text);
    if (!memcmp(at, mark, length)) return i + 1;
  }
  return size;
}

/* Checks one certificate and prints the answer. */
static irl_status verify(cli *c, const irl_bytes *bytes, proofs *p) {
  irl_certificate *certificate = NULL;
  irl_table *table = NULL;
  irl_verification v = IRL_SIZED(irl_verification);
  irl_options options = c->options;
  char *text;
  irl_status status = irl_certificate_parse(c->env, bytes, &certificate);
  if (!status) status = irl_certificate_options(c->env, certificate, &options);
  if (!status) status = irl_table_read(c->env, c->arguments[c->n_arguments - 1], &options, &table);
  if (!status) {
    const double limit = c->options.limits.time_limit;
    cli_spend_time(c);
    options.limits.time_limit = c->options.limits.time_limit;
    c->options.limits.time_limit = limit;
    status = irl_verify_table(c->env, p->rule, table, &options, certificate, &v);
  }
  if (!status) status = irl_verify_render(c->env, &v, certificate, cli_format(c), &text);
  irl_table_free(table);
  irl_certificate_free(certificate);
  if (status) return status;
  if (!p->is_one && c->own.json) printf(p->n ? ",\n" : "[\n");
  p->n++;
  p->n_valid += v.valid;
  p->is_cut |= v.cut;
  cli_print(c, text);
  return IRL_STATUS_OK;
}

int cli_verify(cli *c) {
  irl_bytes file;
  proofs p = {NULL, 0, 0, false, false};
  char name[1024];
  if (!c->own.certificate) return cli_usage(c, "verify needs --certificate FILE");
  irl_status status = irl_file_read(c->env, c->own.certificate, &file);
  if (status) return cli_fail(c, status);
  const size_t first = first_part(file.data, file.size);
  p.is_one = first == file.size;
  if (!p.is_one && c->n_arguments > 1) {
    irl_bytes_free(c->env, &file);
    return cli_usage(c, "%s has several certificates, each of a rule of its own: give no rule",
                     c->own.certificate);
  }
  if (c->n_arguments > 1) status = irl_rule_read(c->env, c->arguments[0], &p.rule);
  size_t at = 0;
  do {
    const size_t size = first_part((const char *)file.data + at, file.size - at);
    snprintf(name, sizeof name, p.is_one ? "%s" : "%s (certificate %zu)", c->own.certificate,
             p.n + 1);
    const irl_bytes part = {(const char *)file.data + at, size, name};
    if (!status) status = verify(c, &part, &p);
    at += size;
  } while (at < file.size && !status && !p.is_cut);
  irl_rule_free(p.rule);
  irl_bytes_free(c->env, &file);
  if (status) return cli_fail(c, status);
  if (!p.is_one && c->own.json) printf("]\n");
  if (!p.is_one && !c->own.json) printf("%zu of %zu certificates are valid\n", p.n_valid, p.n);
  if (p.is_cut) return EXIT_NOTHING;
  return p.n_valid == p.n ? EXIT_DONE : EXIT_BAD_INPUT;
}
