curl https://tls.registry.example/api/v1/create-verification \
  --cert client.crt --key client.key \
  -H "X-API-Key: $COUNTERSIGN_API_KEY" \
  --json '{"model_id": "mdl_06dh0e3x7c9bw4vjz2n8qk5ytm"}'
