/* The command line as a function of the library that a wheel holds: `python -m ireland` calls it. */
#include "cli/cli.h"

IRL_API int irl_command(int n, char **words);

int irl_command(int n, char **words) {
  return cli_main(n, words, NULL);
}
