/* The ways of a team over MPI. */
#ifndef IRL_MPI_MPI_COMM_H
#define IRL_MPI_MPI_COMM_H

#include "ireland.h"
#include <mpi.h>
#include <pthread.h>

typedef struct mpi_team {
  MPI_Comm all;
  int rank, size, on_this_machine;
  MPI_Win window; /* the counter of the first process */
  uint64_t *counter;
  pthread_mutex_t lock;    /* MPI is called by one thread at a time */
  bool (*is_ending)(void); /* has a request to end come? */
  double ending_since;     /* and no operation ended since; 0: not so */
  bool is_lost;
  uint64_t n_operations, n_sent; /* so far; n_sent in bytes, by this process */
} mpi_team;

/* After MPI_Init_thread. False: a sentence was printed. */
bool mpi_team_init(mpi_team *comm, bool (*is_ending)(void));
void mpi_team_free(mpi_team *comm);
irl_comm mpi_team_ways(mpi_team *comm);

#endif
