# Only the fingerprint of the key is sent
countersign deployments register --cert client.crt \
  --label region=eu --model acme-chat
countersign deployments list
