# Only the key’s fingerprint is sent
countersign deployments register --cert client.crt \
  --label region=eu --model acme-chat
countersign deployments list
