# With a key of your own; in CI, --keyless signs as the job
countersign bundles sign model.safetensors --key key.pem \
  --output model.sig

# Say who may sign; only the public half of the key is sent
countersign signers add --key key.pem

countersign bundles upload acme-chat model.sig
countersign bundles status acme-chat
