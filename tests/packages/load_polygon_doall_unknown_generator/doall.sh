#!/bin/sh
scripts/gen-input-via-stdout.sh "wine files/rand.exe 1000" "tests/03" 3
