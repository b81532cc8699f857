/* The words of a CPLEX LP file, one after the other. */
#ifndef IRL_MODEL_LP_SCAN_H
#define IRL_MODEL_LP_SCAN_H

#include "base/file.h"

typedef enum irl_lp_token {
  IRL_LP_END, /* of the file */
  IRL_LP_NUMBER,
  IRL_LP_NAME,
  IRL_LP_SIGN,     /* + or - */
  IRL_LP_RELATION, /* <, <=, =<, >, >=, =>, = */
  IRL_LP_SECTION,  /* a word, or two, that begins a section */
  IRL_LP_OTHER
} irl_lp_token;

typedef enum irl_lp_section {
  IRL_LP_MINIMISE,
  IRL_LP_MAXIMISE,
  IRL_LP_ROWS,
  IRL_LP_BOUNDS,
  IRL_LP_INTEGERS,
  IRL_LP_BINARIES,
  IRL_LP_ENDS,
  IRL_LP_UNSUPPORTED
} irl_lp_section;

typedef struct irl_lp_scanner {
  irl_env *env;
  const char *path;
  const char *at, *end, *line_start, *start;
  size_t next_look; /* at limits */
  size_t line;
  bool has_word; /* the line has one before `at` */
  /* The word that was read last: */
  irl_lp_token kind;
  const char *text;
  size_t length, word_line, column; /* from 1 */
  bool is_first;                    /* of its line */
  double number;                    /* of a number */
  char relation;                    /* '<', '>' or '=' */
  irl_lp_section section;
} irl_lp_scanner;

void irl_lp_scan_init(irl_lp_scanner *s, irl_env *env, const char *path, const irl_file *file);
/* Reads the next word. */
irl_status irl_lp_scan(irl_lp_scanner *s);
/* Is the word a name with a colon behind it? */
bool irl_lp_scan_is_label(const irl_lp_scanner *s);
/* Is the word this one, but for the case of letters? */
bool irl_lp_scan_is(const irl_lp_scanner *s, const char *word);
/* The section that a word begins; false: none. */
bool irl_lp_is_keyword(const char *word, size_t length, irl_lp_section *section);
/* file:line:column: what; the word is quoted behind it if `quotes`. */
irl_status irl_lp_scan_bad(const irl_lp_scanner *s, const char *what, bool quotes);

#endif
