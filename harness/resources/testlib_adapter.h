// Makes a program that includes testlib.h a judge program of the Kattis format, whose contract is
//
//   output validator   PROGRAM INPUT ANSWER FEEDBACK/ [ARGUMENTS]   the output on standard input
//   interactor         the same, joined to the submission by pipes
//   input validator    PROGRAM [ARGUMENTS]                          the input on standard input
//
// with exit code 42 for yes and 43 for no. The program stays as it is: this file stands in the place of its testlib.h,
// includes that as testlib_original.h, and takes the calls of registerTestlibCmd, registerInteraction and
// registerValidation. A generator's registerGen is left alone.
//
// Points (exit code 7) go to score.txt, parts (`_pc(percent)`) to score_multiplier.txt, the message to judgemessage.txt.
// An interactor that ends well hands over to the program `checker` beside it, if there is one: that judges what the
// interactor wrote to `tout`.
#ifndef HARNESS_TESTLIB_ADAPTER_H
#define HARNESS_TESTLIB_ADAPTER_H

#ifndef PC_BASE_EXIT_CODE
#define PC_BASE_EXIT_CODE 16
#endif
#include "testlib_original.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <vector>

enum HarnessRole { HARNESS_NONE, HARNESS_CHECKER, HARNESS_INTERACTOR, HARNESS_VALIDATOR };
enum { HARNESS_YES = 42, HARNESS_NO = 43, HARNESS_FAILED = 3, HARNESS_POINTS = 7, HARNESS_PARTLY = 16 };

// Plain pointers: they are read when all static objects are gone.
static HarnessRole harness_role;
static char **harness_argv;

static char *harness_feedback(const char *name) {
    char *path = (char *)malloc(strlen(harness_argv[3]) + strlen(name) + 2);
    strcpy(path, harness_argv[3]);
    strcat(path, "/");
    return strcat(path, name);
}

static int harness_write_score(const char *name, double score) {
    if (score <= 0) return HARNESS_NO;
    FILE *file = fopen(harness_feedback(name), "w");
    if (file == NULL || fprintf(file, "%.10f\n", score) < 0 || fclose(file) != 0) return HARNESS_FAILED;
    return HARNESS_YES;
}

// The message of quitp begins with the points.
static int harness_points() {
    double points = 0;
    FILE *message = fopen(harness_feedback("judgemessage.txt"), "r");
    if (message == NULL || fscanf(message, "%lf", &points) != 1) {
        fprintf(stderr, "the points are no number\n");
        return HARNESS_FAILED;
    }
#ifdef HARNESS_POINTS_ARE_PERCENT
    return harness_write_score("score_multiplier.txt", std::min(1.0, points / 100));
#else
    return harness_write_score("score.txt", points);
#endif
}

static int harness_exit_code(int status) {
    if (harness_role == HARNESS_VALIDATOR) return status == 0 ? HARNESS_YES : HARNESS_NO;
    switch (status) {
        case 0: return HARNESS_YES;
        case 1: case 2: case 4: case 8: return HARNESS_NO;  // wrong answer, presentation error, dirt, unexpected end
        case HARNESS_POINTS: return harness_points();
    }
    if (status < HARNESS_PARTLY) return status;
    return harness_write_score("score_multiplier.txt", std::min(1.0, (status - HARNESS_PARTLY) / 100.0));
}

// Become the checker beside this program, the interactor's output on standard input. Returns where there is none.
static void harness_hand_over() {
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 16);
    if (length <= 0) length = (ssize_t)strlen(strncpy(path, harness_argv[0], sizeof path - 16));
    path[length] = 0;
    char *name = strrchr(path, '/');
    strcpy(name == NULL ? path : name + 1, "checker");
    if (access(path, X_OK) != 0) return;
    int output = open(harness_feedback("tout.txt"), O_RDONLY), nothing = open("/dev/null", O_WRONLY);
    if (output >= 0 && nothing >= 0 && dup2(output, 0) == 0 && dup2(nothing, 1) == 1) {
        char *argv[] = {path, harness_argv[1], harness_argv[2], harness_argv[3], NULL};
        execv(path, argv);
    }
    fprintf(stderr, "%s cannot be started\n", path);
    _exit(HARNESS_FAILED);
}

static void harness_end(int status) {
    if (harness_role == HARNESS_NONE) return;
    std::cout.flush();
    fflush(NULL);
    if (harness_role == HARNESS_INTERACTOR && status == 0) harness_hand_over();
    int code = harness_exit_code(status);
    fflush(NULL);
    _exit(code);
}

#ifdef __GLIBC__
static void harness_at_end(int status, void *) { harness_end(status); }
#else
static void harness_at_end() { harness_end(__testlib_exitCode); }
#endif

// Registered before any static object is made, so that it runs when all of them are gone: testlib's own last check too.
__attribute__((constructor(101))) static void harness_begin() {
#ifdef __GLIBC__
    on_exit(harness_at_end, NULL);
#else
    atexit(harness_at_end);
#endif
}

inline void harness_registerTestlibCmd(int argc, char *argv[]) {
    if (argc < 4) return registerTestlibCmd(argc, argv);  // which says how it is called
    harness_role = HARNESS_CHECKER;
    harness_argv = argv;
    static char nothing[] = "/dev/null";
    char *own[] = {argv[0], argv[1], nothing, argv[2], harness_feedback("judgemessage.txt")};
    std::vector<char *> words(own, own + 5);
    words.insert(words.end(), argv + 4, argv + argc);
    registerTestlibCmd(int(words.size()), &words[0]);
    ouf.close();
    ouf.reader = new BufferedFileInputStreamReader(fdopen(0, "rb"), ouf.name = "/dev/stdin");
    ouf.opened = true;
}

inline void harness_registerInteraction(int argc, char *argv[]) {
    if (argc < 4) return registerInteraction(argc, argv);
    harness_role = HARNESS_INTERACTOR;
    harness_argv = argv;
    char *words[] = {argv[0], argv[1], harness_feedback("tout.txt"), argv[2], harness_feedback("judgemessage.txt")};
    registerInteraction(5, words);
}

inline void harness_registerValidation() {
    harness_role = HARNESS_VALIDATOR;
    registerValidation();
}

// A template, for older versions of testlib have no such function.
template <class Argument> void harness_registerValidation(int argc, Argument *argv) {
    harness_role = HARNESS_VALIDATOR;
    registerValidation(argc, argv);
}

#define registerTestlibCmd harness_registerTestlibCmd
#define registerInteraction harness_registerInteraction
#define registerValidation harness_registerValidation

#endif
