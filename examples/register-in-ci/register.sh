#!/bin/sh
# Registers the files of a model as the next version, unless they are already registered. The job sets
#   COUNTERSIGN_API_URL   the registry
#   MODEL                 a file or a folder
#   IDENTIFIER, DISPLAY_NAME, ENDPOINT, DESCRIPTION, VERSION
#   COUNTERSIGN_PROVIDER_ID if it has an identity token, otherwise COUNTERSIGN_API_KEY
# On your own machine, signed in, set COUNTERSIGN_API_KEY too: the script does not touch your profile.
set -eu

missing=
for name in COUNTERSIGN_API_URL MODEL IDENTIFIER DISPLAY_NAME ENDPOINT DESCRIPTION VERSION; do
  eval "[ -n \"\${$name:-}\" ]" || missing="$missing $name"
done
[ -n "${COUNTERSIGN_API_KEY:-}${COUNTERSIGN_PROVIDER_ID:-}" ] || missing="$missing COUNTERSIGN_PROVIDER_ID or COUNTERSIGN_API_KEY"
if [ -n "$missing" ]; then
  echo "Missing:$missing" >&2
  exit 2
fi

# A trusted job needs no key: its CI service vouches for it, and it signs out when it ends.
if [ -z "${COUNTERSIGN_API_KEY:-}" ]; then
  export COUNTERSIGN_PROFILE="${COUNTERSIGN_PROFILE:-ci}"
  countersign auth login --oidc
  trap 'countersign auth logout' EXIT
fi

found=0
output=$(countersign models check "$MODEL" --model "$IDENTIFIER" 2>&1) || found=$?
case $found in
  0) next= ;;    # these files
  3) next=yes ;; # usually other files: the next version
  5) next=yes ;; # none yet: the first
  *) echo "$output" >&2; exit "$found" ;;
esac

# If these files are already registered, --if-not-exists finds them and changes nothing.
answer=$(countersign models register "$MODEL" --if-not-exists --json \
  --identifier "$IDENTIFIER" --display-name "$DISPLAY_NAME" \
  --endpoint "$ENDPOINT" --description "$DESCRIPTION" \
  ${next:+--version "$VERSION"} $([ "$found" = 3 ] && echo --new-version))

field() { printf '%s' "$answer" | node -p "JSON.parse(require('fs').readFileSync(0)).$1"; }
id=$(field model_id)

# Fail unless the registered files are exactly the files of this job.
countersign models check "$MODEL" --model "$id"
[ "$(field created)" = true ] && echo "Registered: $id" || echo "Already registered: $id"
