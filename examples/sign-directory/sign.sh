#!/bin/sh
# Signs a folder with your own key and registers it with its signature. Set first:
#   COUNTERSIGN_API_URL, and COUNTERSIGN_API_KEY unless you are signed in
#   MODEL                 the folder; its signature goes to MODEL/model.sig
#   KEY                   the private key, PEM; it never leaves this machine
#   IDENTIFIER, DISPLAY_NAME, ENDPOINT, DESCRIPTION
set -eu

missing=
for name in MODEL KEY IDENTIFIER DISPLAY_NAME ENDPOINT DESCRIPTION; do
  eval "[ -n \"\${$name:-}\" ]" || missing="$missing $name"
done
if [ -n "$missing" ]; then
  echo "Missing:$missing" >&2
  exit 2
fi

# Declare the signer. Doing this again changes nothing. Only the public half of the key is sent.
countersign signers add --key "$KEY" --quiet >/dev/null

countersign bundles sign "$MODEL" --key "$KEY" --quiet

# Check before registering: names, sizes and contents of all files must be those that were signed.
countersign bundles verify "$MODEL" --bundle "$MODEL/model.sig" --key "$KEY" --quiet

id=$(countersign models register "$MODEL" --bundle "$MODEL/model.sig" --if-not-exists --quiet \
  --identifier "$IDENTIFIER" --display-name "$DISPLAY_NAME" \
  --endpoint "$ENDPOINT" --description "$DESCRIPTION")
countersign bundles status "$id"
echo "In the registry: $id"
