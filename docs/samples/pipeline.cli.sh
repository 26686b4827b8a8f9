# The key comes from the environment; a repeated release changes nothing
VERSION=${GITHUB_REF_NAME:-${CI_COMMIT_TAG:-v1}}
countersign models register model.safetensors \
  --identifier acme-chat --display-name "Acme Chat" \
  --endpoint https://api.acme.example/v1/chat \
  --description "Answers questions about our products" \
  --if-not-exists --new-version --version "$VERSION"

# On the server: check that these are the registered files
countersign models check model.safetensors --model acme-chat
