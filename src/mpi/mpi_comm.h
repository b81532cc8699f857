/* The communicator of a run over MPI. */
#ifndef IRL_MPI_MPI_COMM_H
#define IRL_MPI_MPI_COMM_H

#include "ireland.h"
#include "ireland_comm.h"
#include <mpi.h>
#include <pthread.h>

typedef struct mpi_communicator {
  MPI_Comm all;
  int rank, size, on_this_machine;
  MPI_Win window; /* the shared counter, at the root */
  uint64_t *counter;
  pthread_mutex_t lock;    /* MPI is called by one thread at a time */
  bool (*is_ending)(void); /* has a request to end come? */
  double ending_since;     /* since when no operation has ended after that; 0: not so */
  bool is_lost;
  uint64_t n_operations, n_sent; /* so far; n_sent in bytes, by this process */
} mpi_communicator;

/* After MPI_Init_thread. False: a sentence was printed. */
bool mpi_communicator_init(mpi_communicator *comm, bool (*is_ending)(void));
void mpi_communicator_free(mpi_communicator *comm);
irl_comm mpi_communicator_collectives(mpi_communicator *comm);

#endif
