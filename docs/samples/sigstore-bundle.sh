# Say who may sign your models
public_key=$(awk '{printf "%s\\n", $0}' public.pem)
curl https://registry.example/api/v1/providers/me/signers \
  -H "X-API-Key: $COUNTERSIGN_API_KEY" \
  --json "{\"signer\": {\"kind\": \"key\", \"public_key\": \"$public_key\"}}"

# Give the bundle; the answer says what was checked
curl -X PUT https://registry.example/api/v1/models/mdl_06dh0e3x7c9bw4vjz2n8qk5ytm/bundle \
  -H "X-API-Key: $COUNTERSIGN_API_KEY" --json @model.sig

# Anyone may ask
curl https://registry.example/api/v1/models/mdl_06dh0e3x7c9bw4vjz2n8qk5ytm/bundle-status
