/* SPDX-License-Identifier: BSD-3-Clause */
/* Actions of a program that may notice the tracer. Each prints something, or ends in a way, that
 * must be the same with the tracer.
 *
 *     unchanged MODE */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- threads that are cancelled -------------------------------------------------------------- */

static const char *mode;

/* None of these calls is a cancellation point. */
static void *cancelled(void *argument)
{
    const bool first = strcmp(mode, "cancel_first") == 0;
    (void)argument;
    if (!first)
        MPI_Wtime();
    if (strcmp(mode, "cancel_periodic") == 0)
        usleep(1500000);
    pthread_cancel(pthread_self());
    if (strcmp(mode, "cancel_checkpoint") == 0)
        MPI_Pcontrol(2);
    else
        MPI_Wtime();
    puts("still there");
    fflush(stdout);
    pthread_testcancel();
    puts("not cancelled");
    return NULL;
}

static void *another(void *argument)
{
    MPI_Wtime();
    return argument;
}

static void cancel(void)
{
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, cancelled, NULL);
    pthread_join(thread, &result);
    puts(result == PTHREAD_CANCELED ? "cancelled" : "ended");
    pthread_create(&thread, NULL, another, NULL);
    pthread_join(thread, NULL);
}

/* ---- handlers that pass a signal on ---------------------------------------------------------- */

static struct sigaction before;
static volatile sig_atomic_t caught;

/* Passes the signal to the earlier handler, if there was one. */
static void pass_on(int number)
{
    caught++;
    if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
        before.sa_handler(number);
}

/* Passes it to the default action, too. */
static void pass_on_always(int number)
{
    caught++;
    sigaction(number, &before, NULL);
    raise(number);
}

static void chain(void (*handler)(int), void (*(*set)(int, void (*)(int)))(int))
{
    if (set) {
        before.sa_handler = set(SIGTERM, handler);
    } else {
        struct sigaction action = {.sa_handler = handler};
        sigaction(SIGTERM, &action, &before);
    }
    puts(before.sa_handler == SIG_DFL ? "before: default" : "before: a handler");
    fflush(stdout);
    raise(SIGTERM);
    printf("caught %d\n", (int)caught);
}

int main(int argc, char **argv)
{
    int level;
    if (argc != 2)
        return 2;
    mode = argv[1];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    if (strncmp(mode, "cancel", 6) == 0)
        cancel();
    else if (strcmp(mode, "pass_on") == 0)
        chain(pass_on, NULL);
    else if (strcmp(mode, "pass_on_signal") == 0)
        chain(pass_on, signal);
    else if (strcmp(mode, "pass_on_sigset") == 0)
        chain(pass_on, sigset);
    else if (strcmp(mode, "pass_on_ssignal") == 0)
        chain(pass_on, ssignal);
    else if (strcmp(mode, "pass_on_sysv") == 0)
        chain(pass_on, sysv_signal);
    else if (strcmp(mode, "pass_on_always") == 0)
        chain(pass_on_always, NULL);
    else
        return 2;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    puts("done");
    return 0;
}
