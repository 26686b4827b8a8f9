# The response has the token in access_token
curl https://registry.example/api/v1/auth/oidc/token \
  --json '{
    "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange",
    "subject_token": "'"$COUNTERSIGN_ID_TOKEN"'",
    "subject_token_type": "urn:ietf:params:oauth:token-type:id_token",
    "provider_id": "prv_06dh0e3x7c9bw4vjz2n8qk5ytm"
  }'
