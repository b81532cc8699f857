/* The decimal point of printf and strtod is that of the calling thread's locale. Where it is not a
 * point, the thread takes the C locale for the length of the call: that touches no other thread,
 * and a host that calls setlocale meanwhile does not disturb it. libc keeps the C locale ready, so
 * asking for it allocates nothing and cannot fail; if it did on some system, the host's own would
 * be used. In nearly every host the point is a point, and the check is all that this costs. */
#include "base/c_locale.h"
#include <locale.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <stdio.h>
#else
#include <langinfo.h>
#endif
#ifdef __APPLE__
#include <xlocale.h>
#endif

#ifdef _WIN32

/* There a thread that wants a locale of its own says so, and setlocale is its own from then on. */
typedef struct kept {
  bool is_changed;
  int was_own; /* what _configthreadlocale said */
  char name[128];
} kept;

static kept enter(void) {
  kept before = {.is_changed = strcmp(localeconv()->decimal_point, ".") != 0};
  if (!before.is_changed) return before;
  snprintf(before.name, sizeof before.name, "%s", setlocale(LC_NUMERIC, NULL));
  before.was_own = _configthreadlocale(_ENABLE_PER_THREAD_LOCALE);
  setlocale(LC_NUMERIC, "C");
  return before;
}

static void leave(kept before) {
  if (!before.is_changed) return;
  setlocale(LC_NUMERIC, before.name);
  _configthreadlocale(before.was_own);
}

#else

typedef locale_t kept;

/* The thread's locale before, if it had to change, for `leave`. */
static kept enter(void) {
  if (!strcmp(nl_langinfo(RADIXCHAR), ".")) return (locale_t)0;
  const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  return plain ? uselocale(plain) : (locale_t)0;
}

static void leave(kept before) {
  if (before) freelocale(uselocale(before));
}

#endif

double irl_c_strtod(const char *text, char **end) {
  const kept before = enter();
  const double value = strtod(text, end);
  leave(before);
  return value;
}

int irl_c_vsnprintf(char *text, size_t size, const char *format, va_list arguments) {
  const kept before = enter();
  const int length = vsnprintf(text, size, format, arguments);
  leave(before);
  return length;
}

bool irl_c_call(bool (*act)(void *user), void *user) {
  const kept before = enter();
  const bool done = act(user);
  leave(before);
  return done;
}

int irl_c_snprintf(char *text, size_t size, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = irl_c_vsnprintf(text, size, format, arguments);
  va_end(arguments);
  return length;
}

void irl_c_fprintf(FILE *stream, const char *format, ...) {
  va_list arguments;
  const kept before = enter();
  va_start(arguments, format);
  vfprintf(stream, format, arguments);
  va_end(arguments);
  leave(before);
}

bool irl_c_equal_ignoring_case(const char *a, const char *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (irl_c_lower(a[i]) != irl_c_lower(b[i])) return false;
    if (!a[i]) return true;
  }
  return true;
}
