/* Numbers as text, whatever the locale of the host. */
#ifndef IRL_BASE_NUMBER_H
#define IRL_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

#define IRL_NUMBER_SIZE 40 /* of a buffer that holds any number */

/* A decimal number that fills the text: sign, digits, point, exponent; or inf, infinity, nan. No
 * hexadecimals, no blanks, no separators of thousands. */
bool irl_number_parse(const char *text, size_t length, double *value);
/* The shortest text that reads back to the same double, without an exponent where that is short. */
void irl_number_print(double value, char text[IRL_NUMBER_SIZE]);
/* A number c with low <= c < high of as few digits as possible, near the middle. */
double irl_number_between(double low, double high);

#endif
