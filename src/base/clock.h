/* The one place that reads a clock or asks the system about the process. */
#ifndef IRL_BASE_CLOCK_H
#define IRL_BASE_CLOCK_H

/* Monotonic seconds from an arbitrary start. */
double irl_clock_now(void);
/* The largest resident size of the process so far, in MB (10^6 bytes). */
double irl_clock_peak_mb(void);
/* What the machine could still give, in MB; a guess. */
double irl_clock_available_mb(void);
/* The resident size now, or the largest so far where the system does not tell. */
double irl_clock_resident_mb(void);

#endif
