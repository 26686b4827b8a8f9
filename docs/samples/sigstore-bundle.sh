api=https://registry.example/api/v1
key="X-API-Key: $COUNTERSIGN_API_KEY"
model=mdl_06dh0e3x7c9bw4vjz2n8qk5ytm

# Say who may sign your models
public_key=$(awk '{printf "%s\\n", $0}' public.pem)
curl -H "$key" $api/providers/me/signers --json "{
    \"signer\": {\"kind\": \"key\", \"public_key\": \"$public_key\"}
  }"

# Give the bundle; the answer says what was checked
curl -X PUT -H "$key" $api/models/$model/bundle --json @model.sig

# Anyone may ask
curl $api/models/$model/bundle-status
