#!/bin/sh
# Signs a folder with a key of your own and registers it with its signature. Set before:
#   COUNTERSIGN_API_URL, COUNTERSIGN_API_KEY where you are not signed in
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

# Who may sign your models is told once; telling it again changes nothing. Only the public half of the key is sent.
countersign signers add --key "$KEY" --quiet >/dev/null

countersign bundles sign "$MODEL" --key "$KEY" --quiet

# Nothing is sent that would not stand: names, sizes and bytes of all files are those that were signed.
countersign bundles verify "$MODEL" --bundle "$MODEL/model.sig" --key "$KEY" --quiet

id=$(countersign models register "$MODEL" --bundle "$MODEL/model.sig" --if-not-exists --quiet \
  --identifier "$IDENTIFIER" --display-name "$DISPLAY_NAME" \
  --endpoint "$ENDPOINT" --description "$DESCRIPTION")
countersign bundles status "$id"
echo "Registered: $id"
