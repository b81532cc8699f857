/* Every operation is begun and then asked for until it is done. Waiting sleeps, so that processes
 * that share cores do not take them from each other, and it ends when the run ends: where a
 * process dies, mpirun tells the others to end and kills them about a second later. So once a
 * request to end has come, an operation that does not end soon means that somebody is gone; there
 * is time left to say so and to save what was learnt.
 *
 * The shared counter that hands out tasks is a number in the memory of the root, which all
 * processes add to by one-sided communication. */
#include "mpi/mpi_comm.h"
#include "ireland_comm.h"
#include <limits.h>
#include <string.h>
#include <time.h>

#define GRACE      0.35              /* seconds that an operation gets after a request to end */
#define MOST_BYTES ((size_t)1 << 30) /* of one operation: MPI counts in int */
#define SPINS      200               /* looks before the first sleep, */
#define SHORT_NAP  20000             /* nanoseconds, */
#define LONG_NAP   500000            /* and what naps grow to */

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Is it no use to wait any longer? */
static bool is_hopeless(mpi_communicator *comm) {
  if (!comm->is_ending()) return false;
  if (comm->ending_since == 0) comm->ending_since = now();
  return now() - comm->ending_since > GRACE;
}

static bool wait_for(mpi_communicator *comm, MPI_Request *request, int begun, size_t n_sent) {
  long nap = SHORT_NAP;
  int is_done = 0;
  comm->n_operations++;
  comm->n_sent += n_sent;
  if (begun != MPI_SUCCESS) comm->is_lost = true;
  for (unsigned looks = 0; !is_done && !comm->is_lost; looks++) {
    if (MPI_Test(request, &is_done, MPI_STATUS_IGNORE) != MPI_SUCCESS) comm->is_lost = true;
    if (is_done || looks < SPINS) continue;
    if (is_hopeless(comm)) comm->is_lost = true;
    nanosleep(&(struct timespec){0, nap}, NULL);
    if (nap < LONG_NAP) nap *= 2;
  }
  if (!comm->is_lost) comm->ending_since = 0;
  return !comm->is_lost;
}

static bool broadcast(void *user, int root, void *bytes, size_t n) {
  mpi_communicator *comm = user;
  bool is_done = !comm->is_lost;
  for (size_t at = 0; at < n && is_done; at += MOST_BYTES) {
    MPI_Request request;
    const int size = (int)(n - at < MOST_BYTES ? n - at : MOST_BYTES);
    is_done = wait_for(comm, &request,
                       MPI_Ibcast((char *)bytes + at, size, MPI_BYTE, root, comm->all, &request),
                       comm->rank == root ? (size_t)size : 0);
  }
  return is_done;
}

static bool allreduce(void *user, uint64_t *numbers, size_t n) {
  mpi_communicator *comm = user;
  const size_t most = MOST_BYTES / sizeof *numbers;
  bool is_done = !comm->is_lost;
  for (size_t at = 0; at < n && is_done; at += most) {
    MPI_Request request;
    const int size = (int)(n - at < most ? n - at : most);
    is_done = wait_for(comm, &request,
                       MPI_Iallreduce(MPI_IN_PLACE, numbers + at, size, MPI_UINT64_T, MPI_SUM,
                                      comm->all, &request),
                       (size_t)size * sizeof *numbers);
  }
  return is_done;
}

/* One after the other, where all at once are too many bytes. */
static bool gather_one_by_one(mpi_communicator *comm, const void *mine, char *all,
                              const size_t *sizes) {
  bool is_done = true;
  for (int rank = 0; rank < comm->size && is_done; all += sizes[rank++]) {
    if (rank == comm->rank && sizes[rank]) memcpy(all, mine, sizes[rank]);
    is_done = broadcast(comm, rank, all, sizes[rank]);
  }
  return is_done;
}

/* Where each process's bytes begin; false: too far for an int. */
static bool lay_out(int size, const size_t *sizes, int *counts, int *starts) {
  size_t at = 0;
  for (int rank = 0; rank < size; at += sizes[rank++]) {
    if (at > MOST_BYTES || sizes[rank] > MOST_BYTES) return false;
    counts[rank] = (int)sizes[rank];
    starts[rank] = (int)at;
  }
  return true;
}

static bool allgatherv(void *user, const void *mine, void *all, const size_t *sizes) {
  mpi_communicator *comm = user;
  int counts[comm->size], starts[comm->size];
  MPI_Request request;
  if (comm->is_lost) return false;
  if (!lay_out(comm->size, sizes, counts, starts)) return gather_one_by_one(comm, mine, all, sizes);
  return wait_for(comm, &request,
                  MPI_Iallgatherv(mine, counts[comm->rank], MPI_BYTE, all, counts, starts, MPI_BYTE,
                                  comm->all, &request),
                  sizes[comm->rank]);
}

static bool alltoallv(void *user, const void *out, const size_t *out_sizes, void *in,
                      const size_t *in_sizes) {
  mpi_communicator *comm = user;
  int counts[2][comm->size], starts[2][comm->size];
  MPI_Request request;
  if (!lay_out(comm->size, out_sizes, counts[0], starts[0]) ||
      !lay_out(comm->size, in_sizes, counts[1], starts[1]))
    comm->is_lost = true; /* callers keep far below this */
  if (comm->is_lost) return false;
  size_t sent = 0;
  for (int rank = 0; rank < comm->size; rank++) sent += rank == comm->rank ? 0 : out_sizes[rank];
  return wait_for(comm, &request,
                  MPI_Ialltoallv(out, counts[0], starts[0], MPI_BYTE, in, counts[1], starts[1],
                                 MPI_BYTE, comm->all, &request),
                  sent);
}

static uint64_t fetch_add(void *user) {
  mpi_communicator *comm = user;
  const uint64_t one = 1;
  uint64_t number = UINT64_MAX;
  pthread_mutex_lock(&comm->lock);
  if (!comm->is_lost &&
      (MPI_Fetch_and_op(&one, &number, MPI_UINT64_T, 0, 0, MPI_SUM, comm->window) ||
       MPI_Win_flush(0, comm->window)))
    number = UINT64_MAX;
  pthread_mutex_unlock(&comm->lock);
  return number;
}

static void reset_counter(void *user) {
  mpi_communicator *comm = user;
  const uint64_t none = 0;
  uint64_t before;
  if (comm->is_lost) return;
  MPI_Fetch_and_op(&none, &before, MPI_UINT64_T, 0, 0, MPI_REPLACE, comm->window);
  MPI_Win_flush(0, comm->window);
}

bool mpi_communicator_init(mpi_communicator *comm, bool (*is_ending)(void)) {
  MPI_Comm near;
  *comm = (mpi_communicator){.is_ending = is_ending};
  pthread_mutex_init(&comm->lock, NULL);
  if (MPI_Comm_dup(MPI_COMM_WORLD, &comm->all) != MPI_SUCCESS) return false;
  MPI_Comm_set_errhandler(comm->all, MPI_ERRORS_RETURN);
  MPI_Comm_rank(comm->all, &comm->rank);
  MPI_Comm_size(comm->all, &comm->size);
  MPI_Comm_split_type(comm->all, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &near);
  MPI_Comm_size(near, &comm->on_this_machine);
  MPI_Comm_free(&near);
  const MPI_Aint bytes = comm->rank ? 0 : sizeof *comm->counter;
  if (MPI_Win_allocate(bytes, sizeof *comm->counter, MPI_INFO_NULL, comm->all, &comm->counter,
                       &comm->window) != MPI_SUCCESS)
    return false;
  if (!comm->rank) *comm->counter = 0;
  MPI_Win_lock_all(0, comm->window);
  return MPI_Barrier(comm->all) == MPI_SUCCESS;
}

void mpi_communicator_free(mpi_communicator *comm) {
  MPI_Win_unlock_all(comm->window);
  MPI_Win_free(&comm->window);
  MPI_Comm_free(&comm->all);
  pthread_mutex_destroy(&comm->lock);
}

irl_comm mpi_communicator_collectives(mpi_communicator *comm) {
  return (irl_comm){.size = sizeof(irl_comm),
                    .rank = comm->rank,
                    .n_processes = comm->size,
                    .on_this_machine = comm->on_this_machine,
                    .user = comm,
                    .broadcast = broadcast,
                    .allreduce = allreduce,
                    .allgatherv = allgatherv,
                    .alltoallv = alltoallv,
                    .fetch_add = fetch_add,
                    .reset_counter = reset_counter};
}
