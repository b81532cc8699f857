/* ireland as one process. */
#include "cli/cli.h"

int main(int n, char **words) {
  return cli_main(n, words, NULL);
}
