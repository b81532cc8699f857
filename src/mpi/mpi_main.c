/* mpirun -n P ireland-mpi COMMAND ...: the root is ireland, the other processes serve it. */
#include "cli/cli.h"
#include "ireland_comm.h"
#include "mpi/mpi_comm.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- processes that serve ---- */

static irl_env *served;

/* Tasks are cut; the root decides what becomes of the run. */
static void on_end(int number) {
  (void)number;
  irl_env_stop(served);
}

/* It may be busy with saving: who serves waits for it, or is killed. */
static bool never(void) {
  return false;
}

static int serve(mpi_communicator *comm) {
  const irl_comm collectives = mpi_communicator_collectives(comm);
  if (irl_env_create(NULL, &served)) MPI_Abort(comm->all, EXIT_INTERNAL);
  signal(SIGINT, on_end);
  signal(SIGTERM, on_end);
  if (irl_env_set_comm(served, &collectives)) MPI_Abort(comm->all, EXIT_INTERNAL);
  if (!irl_comm_serve(served)) return EXIT_DONE;
  fprintf(stderr, "ireland-mpi: process %d: %s\n", comm->rank, irl_env_error(served));
  comm->is_lost = true;
  return EXIT_INTERNAL;
}

/* ---- the root ---- */

/* Tells the other processes to end, whatever the command was. */
static void end(mpi_communicator *comm) {
  const irl_comm collectives = mpi_communicator_collectives(comm);
  irl_env *env;
  if (irl_env_create(NULL, &env)) {
    comm->is_lost = true; /* nobody can be told */
    return;
  }
  if (irl_env_set_comm(env, &collectives) || irl_comm_end(env)) comm->is_lost = true;
  irl_env_free(env);
}

/* Says what each process needed, if the environment asks for it. */
static void report(const mpi_communicator *comm) {
  double mine[3] = {0}, all[3 * comm->size];
  irl_env *env;
  irl_run run = IRL_SIZED(irl_run);
  int is_wanted = getenv("IRELAND_MPI_REPORT") != NULL;
  MPI_Bcast(&is_wanted, 1, MPI_INT, 0, comm->all);
  if (!is_wanted) return;
  if (!irl_env_create(NULL, &env)) {
    irl_env_run(env, &run);
    irl_env_free(env);
  }
  mine[0] = run.peak_mb;
  mine[1] = (double)comm->n_operations;
  mine[2] = (double)comm->n_sent;
  MPI_Gather(mine, 3, MPI_DOUBLE, all, 3, MPI_DOUBLE, 0, comm->all);
  for (int rank = 0; !comm->rank && rank < comm->size; rank++)
    fprintf(stderr, "process %d: peak %.0f MB, %.0f operations, %.1f MB sent\n", rank,
            all[3 * rank], all[3 * rank + 1], 1e-6 * all[3 * rank + 2]);
}

int main(int n, char **words) {
  mpi_communicator comm;
  int provided, code;
  cli_set_blas();
  if (MPI_Init_thread(&n, &words, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS ||
      provided < MPI_THREAD_SERIALIZED) {
    fprintf(stderr, "ireland-mpi: this MPI does not let threads take turns\n");
    return EXIT_INTERNAL;
  }
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (!mpi_communicator_init(&comm, rank ? never : cli_was_interrupted)) {
    fprintf(stderr, "ireland-mpi: MPI could not be set up\n");
    MPI_Abort(MPI_COMM_WORLD, EXIT_INTERNAL);
  }
  if (rank) {
    code = serve(&comm);
  } else {
    const irl_comm collectives = mpi_communicator_collectives(&comm);
    code = cli_main(n, words, comm.size > 1 ? &collectives : NULL);
    end(&comm);
  }
  if (comm.is_lost) { /* MPI_Finalize would wait for who is gone */
    fflush(NULL);
    MPI_Abort(MPI_COMM_WORLD, code ? code : EXIT_INTERNAL);
  }
  report(&comm);
  irl_env_free(served);
  mpi_communicator_free(&comm);
  MPI_Finalize();
  return rank ? EXIT_DONE : code;
}
