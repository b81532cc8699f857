/* How far a run has come. On a terminal one line at the bottom says what runs, the best rule, its
 * bound and gap, the share of the limit that is used and the time that is left; elsewhere a line
 * now and then is a sign of life. Colour is for terminals alone, and not where NO_COLOR is set. */
#include "cli/cli.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROGRESS_INTERVAL 10  /* seconds between lines that go to a file */
#define MOST_COLUMNS      100 /* of the line; a longer one would not be cleared whole */
#define READING_HOLDS     0.3 /* second that data are read in silence */
#define OWN_LINE_HOLDS    1.0 /* second that the line of the rule stays before another's */

static bool is_terminal(void) {
  const char *kind = getenv("TERM");
  return isatty(STDERR_FILENO) && !(kind && !strcmp(kind, "dumb"));
}

/* May standard error have colours? */
static bool has_colour(void) {
  const char *no = getenv("NO_COLOR");
  return is_terminal() && !(no && *no);
}

void cli_print_warning(const char *line) {
  fprintf(stderr, "%s %s\n", has_colour() ? "\033[1;33mwarning:\033[0m" : "warning:", line);
}

void cli_clear_progress(cli *c) {
  if (c->has_progress) fprintf(stderr, "\r\033[K");
  c->has_progress = false;
}

static void draw(cli *c, const char *line) {
  fprintf(stderr, "\r\033[K%.*s", MOST_COLUMNS, line);
  fflush(stderr);
  c->has_progress = true;
}

/* "41 % of the limit, 18 s left" for what is used of time or work; nothing without a limit. */
static int print_share(const cli *c, char *text, size_t size, double seconds, double work) {
  const double time_limit = c->whole_time, work_limit = (double)c->options.limits.work_limit;
  const double by_time = time_limit > 0 ? seconds / time_limit : 0;
  const double by_work = work_limit > 0 ? work / work_limit : 0, share = fmax(by_time, by_work);
  if (!(share > 0)) return 0;
  const double left = by_time >= by_work ? time_limit - seconds : seconds * (1 / share - 1);
  return snprintf(text, size, "  %.0f %% of the limit, %.0f s left", fmin(100, 100 * share),
                  fmax(0, left));
}

/* "12 % of the work, 18 s left" to the end, whatever the limit. */
static void print_left(char *text, size_t size, double share, double left) {
  const int n = snprintf(text, size, "  %.1f %% of the work", 100 * share);
  if (n > 0 && (size_t)n < size && !isnan(left))
    snprintf(text + n, size - (size_t)n, ", %.0f s to the end", left);
}

static int on_progress(void *user, const irl_progress *p) {
  cli *c = user;
  char line[256];
  size_t n;
  if (c->own.quiet) return 0;
  if (!strcmp(p->part, "reading") && p->seconds > READING_HOLDS) {
    snprintf(line, sizeof line, "reading the data  %.1f s", p->seconds);
    draw(c, line);
  }
  if (isnan(p->objective)) return 0;
  n = (size_t)snprintf(line, sizeof line, "%s  best %.6g", p->part, p->objective);
  if (!isnan(p->bound) && p->bound <= p->objective)
    n += (size_t)snprintf(line + n, sizeof line - n, "  bound %.6g  gap %.2f %%", p->bound,
                          p->objective > 0 ? 100 * (p->objective - p->bound) / p->objective : 0);
  n += (size_t)snprintf(line + n, sizeof line - n, "  %.1f s", p->seconds);
  n += (size_t)print_share(c, line + n, sizeof line - n, p->seconds, (double)p->work);
  if (!isnan(p->share)) print_left(line + n, sizeof line - n, p->share, p->left);
  draw(c, line);
  c->own_line_at = p->seconds;
  return 0;
}

/* A line of an engine, or "cv: 3 of 10 folds, 1.2 s", of which the time left is known. */
static void show_line(cli *c, const char *said) {
  irl_run run = IRL_SIZED(irl_run);
  char line[512];
  unsigned done, all;
  const char *counts = strchr(said, ':');
  irl_env_run(c->env, &run);
  if (c->own_line_at > 0 && run.seconds < c->own_line_at + OWN_LINE_HOLDS) return;
  /* Where a rule is sought, engines speak of losses in units of their own. */
  const bool is_own_unit = !counts && c->command->jobs & IRL_FOR_LEARN;
  int n = snprintf(line, sizeof line, "%s", is_own_unit ? "searching" : said);
  if (n < 0 || (size_t)n >= sizeof line) n = (int)strlen(line);
  if (counts && sscanf(counts, ": %u of %u", &done, &all) == 2 && done && done < all)
    n += snprintf(line + n, sizeof line - (size_t)n, "  %.0f s left",
                  run.seconds * (all - done) / done);
  else
    print_share(c, line + n, sizeof line - (size_t)n, run.seconds, 0);
  draw(c, line);
}

void cli_watch(cli *c) {
  c->whole_time = c->options.limits.time_limit;
  if (is_terminal() && !c->own.quiet) irl_env_set_progress(c->env, on_progress, c);
}

void cli_on_log(void *user, irl_log_kind kind, const char *line) {
  cli *c = user;
  if (c->own.quiet) return;
  if (kind == IRL_LOG_PROGRESS) {
    const time_t now = time(NULL);
    const bool is_due = now >= c->next_progress;
    if (is_terminal()) {
      show_line(c, line);
      return;
    }
    if (is_due && c->next_progress) fprintf(stderr, "%s\n", line);
    if (is_due) c->next_progress = now + PROGRESS_INTERVAL;
    return;
  }
  cli_clear_progress(c);
  if (kind == IRL_LOG_WARNING)
    cli_print_warning(line);
  else
    fprintf(stderr, "%s\n", line);
}
