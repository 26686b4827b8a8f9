#!/bin/sh
# Answers the reports that a rule covers. Run it on a timer: answered reports are not answered again.
set -eu

countersign incidents list --status reported --json >reports.json
node decide.ts <reports.json >decisions.jsonl

# All lines are validated before any is sent. If someone else closed a report in the meantime, it exits 6 but answers the others.
status=0
countersign incidents respond - --json --yes <decisions.jsonl >answers.json || status=$?

# No rule may apply to what is left; otherwise every run would repeat it.
countersign incidents list --status reported --json | node decide.ts >left.jsonl
if [ "$status" = 0 ] && [ -s left.jsonl ]; then
  echo "Still to do:" >&2
  cat left.jsonl >&2
  exit 1
fi
# People decide about reports without a rule, and about the first of several equal ones.
left=$(countersign incidents list --status reported --quiet | wc -l)
echo "Answered: $(($(wc -l <decisions.jsonl)))"
echo "Left for people: $((left)) (countersign incidents triage)"
exit "$status"
