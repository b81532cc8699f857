/* How a search ended. A worker has IRL_ENDED as long as nothing cuts it short. */
#ifndef IRL_SEARCH_ENDING_H
#define IRL_SEARCH_ENDING_H

typedef enum irl_ending {
  IRL_ENDED,          /* it has seen all that there is */
  IRL_ENDED_BY_LIMIT, /* work, clock, memory limit or a request to stop */
  IRL_ENDED_BY_CAP,   /* there is more than may be kept */
  IRL_ENDED_BY_MEMORY /* a request for memory failed: the search fails */
} irl_ending;

#endif
