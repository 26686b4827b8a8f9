#!/bin/sh
# Answers the reports that a rule covers. Meant for a timer: what was answered before is not answered again.
set -eu

countersign incidents list --status reported --json >reports.json
node decide.ts <reports.json >decisions.jsonl

# All lines are read before one is sent. A report that somebody else closed meanwhile is told (exit 6), and the others are answered.
status=0
countersign incidents respond - --json <decisions.jsonl >answers.json || status=$?

# The rules find nothing more to do; else the next run would do it all again.
countersign incidents list --status reported --json | node decide.ts >left.jsonl
if [ "$status" = 0 ] && [ -s left.jsonl ]; then
  echo "Still to do:" >&2
  cat left.jsonl >&2
  exit 1
fi
# Of those that no rule covers, and of the first of several alike, people decide.
left=$(countersign incidents list --status reported --quiet | wc -l)
echo "Answered: $(($(wc -l <decisions.jsonl)))"
echo "Left for people: $((left)) (countersign incidents triage)"
exit "$status"
