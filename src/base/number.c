/* Reading: up to 19 digits and a small power of ten are exact in floating point (the digits below
 * 2^53, the power at most 10^22), so that one multiplication or division rounds correctly; anything
 * else goes to strtod.
 *
 * Cut points: the middle of two neighbouring values is rounded to one digit, to two, ... until the
 * result stays in the middle half of the gap, so 52 and 53 give 52.5, and 0.1234 and 0.1366 give
 * 0.13. Where doubles are too close for that the lower value itself separates them. */
#include "base/number.h"
#include "base/c_locale.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define EXACT_DIGITS ((uint64_t)1 << 53)
#define EXACT_POWER  22
#define LONGEST      400 /* characters of a number that is still read */

static bool parse_word(const char *text, size_t length, double *value) {
  const bool is_negative = *text == '-';
  if (*text == '-' || *text == '+') text++, length--;
  if ((length == 3 && irl_c_equal_ignoring_case(text, "inf", 3)) ||
      (length == 8 && irl_c_equal_ignoring_case(text, "infinity", 8)))
    *value = is_negative ? -INFINITY : INFINITY;
  else if (length == 3 && irl_c_equal_ignoring_case(text, "nan", 3))
    *value = NAN;
  else
    return false;
  return true;
}

/* An exponent that fills the rest of the text. */
static bool parse_exponent(const char *at, const char *end, int *exponent) {
  const bool is_negative = at < end && *at == '-';
  int value = 0;
  if (at < end && (*at == '-' || *at == '+')) at++;
  if (at == end) return false;
  for (; at < end && irl_c_is_digit(*at); at++)
    if (value < LONGEST) value = 10 * value + (*at - '0');
  *exponent += is_negative ? -value : value;
  return at == end;
}

bool irl_number_parse(const char *text, size_t length, double *value) {
  static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const char *at = text, *end = text + length;
  uint64_t digits = 0;
  int exponent = 0;
  bool has_digits = false, is_exact = true;
  if (at < end && (*at == '-' || *at == '+')) at++;
  for (bool has_point = false; at < end; at++) {
    if (*at == '.' && !has_point) {
      has_point = true;
    } else if (irl_c_is_digit(*at)) {
      has_digits = true;
      is_exact = is_exact && digits < EXACT_DIGITS / 10 - 1;
      if (is_exact) {
        digits = 10 * digits + (uint64_t)(*at - '0');
        exponent -= has_point;
      }
    } else {
      break;
    }
  }
  if (!has_digits) return length && parse_word(text, length, value);
  if (at < end && ((*at != 'e' && *at != 'E') || !parse_exponent(at + 1, end, &exponent)))
    return false;
  if (!is_exact || exponent < -EXACT_POWER || exponent > EXACT_POWER) {
    char copy[LONGEST], *rest;
    if (length >= sizeof copy) return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    *value = irl_c_strtod(copy, &rest);
    return !*rest;
  }
  const double size =
      exponent < 0 ? (double)digits / powers[-exponent] : (double)digits * powers[exponent];
  *value = *text == '-' ? -size : size;
  return true;
}

/* The value with that many digits. */
static double round_to(double value, int digits, char text[IRL_NUMBER_SIZE]) {
  double rounded = value;
  irl_c_snprintf(text, IRL_NUMBER_SIZE, "%.*e", digits - 1, value);
  irl_number_parse(text, strlen(text), &rounded);
  return rounded;
}

void irl_number_print(double value, char text[IRL_NUMBER_SIZE]) {
  int digits = 1;
  if (!isfinite(value)) {
    irl_c_snprintf(text, IRL_NUMBER_SIZE, "%s", isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
    return;
  }
  while (digits < 17 && round_to(value, digits, text) != value) digits++;
  round_to(value, digits, text);
  const int exponent = atoi(strchr(text, 'e') + 1);
  if (exponent < -5 || exponent > 15) {
    irl_c_snprintf(text, IRL_NUMBER_SIZE, "%.*g", digits, value);
  } else {
    const int decimals = digits - 1 - exponent;
    irl_c_snprintf(text, IRL_NUMBER_SIZE, "%.*f", decimals > 0 ? decimals : 0, value);
  }
}

double irl_number_between(double low, double high) {
  char text[IRL_NUMBER_SIZE];
  if (isinf(low)) low = -1e300; /* infinite values are cut off beyond any finite one */
  if (isinf(high)) return low >= 0 ? low + low + 1 < 1e300 ? low + low + 1 : low : 0;
  const double middle = low / 2 + high / 2, slack = high / 4 - low / 4;
  for (int digits = 1; digits <= 17; digits++) {
    const double cut = round_to(middle, digits, text);
    if (cut >= low + slack && cut <= high - slack && cut >= low && cut < high) return cut;
  }
  return middle >= low && middle < high ? middle : low;
}
