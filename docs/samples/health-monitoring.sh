model=mdl_06dh0e3x7c9bw4vjz2n8qk5ytm

curl -X PUT https://registry.example/api/v1/models/$model/health \
  -H "X-API-Key: $COUNTERSIGN_API_KEY" \
  --json '{"enabled": true, "interval_seconds": 300}'

# Public, no key needed
curl https://registry.example/api/v1/models/$model/health
