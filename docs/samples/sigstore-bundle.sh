api=https://registry.example/api/v1
key="X-API-Key: $COUNTERSIGN_API_KEY"
model=mdl_06dh0e3x7c9bw4vjz2n8qk5ytm

# Declare the signer of your models
public_key=$(awk '{printf "%s\\n", $0}' public.pem)
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }
signer=$(curl -H "$key" $api/providers/me/signers --json "{
    \"signer\": {\"kind\": \"key\", \"public_key\": \"$public_key\"}
  }" | field id)

# Prove that the key is yours: sign the challenge
signers=$api/providers/me/signers/$signer
message=$(curl -H "$key" $signers/challenge --json '{}' | field message)
printf %b "$message" > challenge.txt
signature=$(openssl dgst -sha256 -sign key.pem challenge.txt |
  openssl base64 -A)
curl -H "$key" $signers/prove --json "{\"signature\": \"$signature\"}"

# Upload the bundle; the response lists the checks
curl -X PUT -H "$key" $api/models/$model/bundle --json @model.sig

# Public, no key needed
curl $api/models/$model/bundle-status
