# The key comes from the environment; repeating this changes nothing
countersign models register model.safetensors \
  --identifier acme-chat --display-name "Acme Chat" \
  --endpoint https://api.acme.example/v1/chat \
  --description "Answers questions about our products" \
  --if-not-exists

# Where the model is served: are these the registered files?
countersign models check model.safetensors --model acme-chat
