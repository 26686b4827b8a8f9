api=https://registry.example/api/v1
key="X-API-Key: $COUNTERSIGN_API_KEY"
model=mdl_06dh0e3x7c9bw4vjz2n8qk5ytm

# SHA-256 of the public key (SPKI), not of the certificate
fingerprint=$(openssl x509 -in client.crt -noout -pubkey |
  openssl pkey -pubin -outform DER |
  openssl dgst -sha256 -r | cut -d ' ' -f 1)

deployment=$(curl -H "$key" $api/deployments/register --json "{
    \"spki_fingerprint\": \"$fingerprint\",
    \"labels\": {\"region\": \"eu\"}
  }" | sed -n 's/.*"deployment_id":"\([^"]*\)".*/\1/p')

# Allow it to mint links for this model
curl -H "$key" $api/models/$model/allow-deployment \
  --json "{\"deployment_id\": \"$deployment\"}"
