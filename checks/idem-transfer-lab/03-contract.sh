#!/usr/bin/env bash
# Judges step 3 of the submission in $SUBMISSION, or else in the lab's own folder. Options are those of labcheck grade.
exec "$(dirname "${BASH_SOURCE[0]}")/../run-step" idem-transfer-lab 3 "$@"
