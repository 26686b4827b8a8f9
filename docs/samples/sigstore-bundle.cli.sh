# With your own key; in CI, --keyless signs as the job
countersign bundles sign model.safetensors --key key.pem \
  --output model.sig

# Declare the signer; only the public half of the key is sent
countersign signers add --key key.pem

countersign bundles upload acme-chat model.sig
countersign bundles status acme-chat
