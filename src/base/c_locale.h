/* Numbers and letters of texts the same in every locale: a host of the library that has chosen a
 * decimal comma, or Turkish letters, reads and writes the same files as any other. Nothing else in
 * the library calls the functions of libc behind these with numbers that are not whole (`make
 * check` looks for it). */
#ifndef IRL_BASE_C_LOCALE_H
#define IRL_BASE_C_LOCALE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* As the functions of libc in the C locale. */
double irl_c_strtod(const char *text, char **end);
int irl_c_vsnprintf(char *text, size_t size, const char *format, va_list arguments);
int irl_c_snprintf(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void irl_c_fprintf(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What `act` returns, which is done as in the C locale: for other libraries that print numbers. */
bool irl_c_call(bool (*act)(void *user), void *user);

/* Letters, digits and blanks of ASCII; bytes of other characters are none of them. */
static inline bool irl_c_is_digit(char c) {
  return c >= '0' && c <= '9';
}
static inline bool irl_c_is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
static inline bool irl_c_is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}
static inline char irl_c_lower(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}
/* The first n bytes, or both texts up to their ends if that comes first, but for the case of
 * letters. */
bool irl_c_equal_ignoring_case(const char *a, const char *b, size_t n);

#endif
