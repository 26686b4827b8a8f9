# The file is hashed here; its name, size and digest are sent
countersign models register model.safetensors \
  --identifier acme-chat --display-name "Acme Chat" \
  --endpoint https://api.acme.example/v1/chat \
  --description "Answers questions about our products" \
  --context-window 128000 \
  --capability text-generation --capability conversation
