#!/bin/sh
# For everyone who received the folder: checks that the provider registered and signed these files. Exits 3 if not.
#   COUNTERSIGN_API_URL   the registry; no key is needed
#   MODEL                 the folder, with its model.sig
#   PUBLIC_KEY            the public half of the provider's key, from a place that you trust
#   MODEL_ID              the version, mdl_…
set -eu

missing=
for name in MODEL PUBLIC_KEY MODEL_ID; do
  eval "[ -n \"\${$name:-}\" ]" || missing="$missing $name"
done
if [ -n "$missing" ]; then
  echo "Missing:$missing" >&2
  exit 2
fi

countersign models check --model "$MODEL_ID" -- "$MODEL"
countersign bundles verify --bundle "$MODEL/model.sig" --key "$PUBLIC_KEY" -- "$MODEL"
