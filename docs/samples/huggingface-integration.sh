model=mdl_06dh0e3x7c9bw4vjz2n8qk5ytm

curl https://registry.example/api/v1/models/$model/sync-huggingface \
  -H "X-API-Key: $COUNTERSIGN_API_KEY" \
  --json '{"huggingface_model_id": "acme/atlas"}'
