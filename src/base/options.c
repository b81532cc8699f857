/* The option table of ireland.h as data, and the one parser of option values. */
#include "base/c_locale.h"
#include "base/env.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define PRESET_FLAG(x)    (x)
#define PRESET_INTEGER(x) (double)(x)
#define PRESET_REAL(x)    (x)
#define PRESET_TEXT(x)    0
#define INFO_ROW(type, name, preset, low, high, jobs, inputs, changes, help)                       \
  {#name,   IRL_##type, PRESET_##type(preset),      (double)(low), (double)(high), jobs, inputs,   \
   changes, help,       offsetof(irl_options, name)},

static const irl_option_info table[] = {IRL_OPTION_TABLE(INFO_ROW)};

const irl_option_info *irl_options_table(size_t *count) {
  if (count) *count = sizeof table / sizeof *table;
  return table;
}

void irl_options_init(irl_options *options) {
#define INIT_ROW(type, name, preset, low, high, jobs, inputs, changes, help) options->name = preset;
  IRL_OPTION_TABLE(INIT_ROW)
#undef INIT_ROW
}

size_t irl_options_size(void) {
  return sizeof(irl_options);
}

static irl_status refuse(irl_env *env, const irl_option_info *info, const char *value,
                         const char *wanted) {
  return irl_fail(env, IRL_BAD_ARGUMENT, "option %s takes %s from %.15g to %.15g, not '%s'",
                  info->name, wanted, info->low, info->high, value);
}

irl_status irl_option_parse(irl_env *env, const irl_option_info *info, void *options,
                            const char *value) {
  void *field = (char *)options + info->offset;
  char *end;
  irl_status status;
  if (!value && info->type != IRL_FLAG)
    return irl_fail(env, IRL_BAD_ARGUMENT, "option %s needs a value", info->name);
  switch (info->type) {
  case IRL_FLAG: {
    const bool off = value && (!strcmp(value, "0") || !strcmp(value, "false"));
    const bool on = !value || !*value || !strcmp(value, "1") || !strcmp(value, "true");
    if (!on && !off)
      return irl_fail(env, IRL_BAD_ARGUMENT, "option %s is on or off, not '%s'", info->name, value);
    *(bool *)field = on;
    return IRL_OK;
  }
  case IRL_INTEGER: {
    /* Whole numbers, also written 1e6 or 1.5e6. The limits are compared as doubles, exact below
     * 2^53, and INT64_MAX as a limit means none. */
    errno = 0;
    intmax_t whole = strtoimax(value, &end, 10);
    if (*end && strchr(".eE", *end) && strpbrk(end, "eE")) {
      const double real = irl_c_strtod(value, &end);
      if (!(fabs(real) < 0x1p62) || real != floor(real))
        return refuse(env, info, value, "a whole number");
      whole = (intmax_t)real;
    }
    if (end == value || *end || errno || (double)whole < info->low || (double)whole > info->high)
      return refuse(env, info, value, "a whole number");
    *(int64_t *)field = whole;
    return IRL_OK;
  }
  case IRL_REAL: {
    const double real = irl_c_strtod(value, &end);
    if (end == value || *end || !(real >= info->low && real <= info->high))
      return refuse(env, info, value, "a number");
    *(double *)field = real;
    return IRL_OK;
  }
  default:
    status = irl_option_check_word(env, info->name, value);
    if (!status) *(const char **)field = value;
    return status;
  }
}

irl_status irl_options_check_ranges(irl_env *env, const irl_options *options) {
  irl_status status = IRL_OK;
  for (size_t i = 0; i < sizeof table / sizeof *table && !status; i++) {
    const void *field = (const char *)options + table[i].offset;
    if (table[i].type == IRL_TEXT) {
      status = irl_option_check_word(env, table[i].name, *(const char *const *)field);
    } else if (table[i].type != IRL_FLAG) {
      const bool is_whole = table[i].type == IRL_INTEGER;
      const double value = is_whole ? (double)*(const int64_t *)field : *(const double *)field;
      char text[32];
      irl_c_snprintf(text, sizeof text, "%.15g", value);
      if (!(value >= table[i].low && value <= table[i].high))
        status = refuse(env, &table[i], text, "a number");
    }
  }
  return status;
}

irl_status irl_options_set(irl_env *env, irl_options *options, const char *name,
                           const char *value) {
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (!strcmp(table[i].name, name)) return irl_option_parse(env, &table[i], options, value);
  return irl_fail(env, IRL_BAD_ARGUMENT, "there is no option named '%s'", name);
}
