#!/bin/sh
scripts/gen-input-via-stdout.sh "wine files/gen.exe 1000" "tests/03"
