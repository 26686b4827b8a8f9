# In the job: its own identity for a token of 15 minutes
countersign auth login --oidc \
  --provider prv_06dh0e3x7c9bw4vjz2n8qk5ytm

VERSION=${GITHUB_REF_NAME:-${CI_COMMIT_TAG:-v1}}
countersign models register model.safetensors \
  --identifier acme-chat --display-name "Acme Chat" \
  --endpoint https://api.acme.example/v1/chat \
  --description "Answers questions about our products" \
  --if-not-exists --new-version --version "$VERSION"
