curl https://registry.example/api/v1/create-verification \
  -H "X-API-Key: $COUNTERSIGN_API_KEY" \
  --json '{
    "model_id": "mdl_06dh0e3x7c9bw4vjz2n8qk5ytm",
    "challenge": "blue otter 42",
    "origin": "https://chat.acme.example",
    "metadata": {"conversation": "c-1042"}
  }'
