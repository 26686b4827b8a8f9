curl -o keys.json https://registry.example/.well-known/jwks.json
countersign verify --offline --jwks keys.json \
  --issuer https://registry.example -- "$TOKEN"
