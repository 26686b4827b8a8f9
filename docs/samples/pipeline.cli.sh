# In a pipeline: the key comes from the environment, and repeating the step changes nothing
countersign models register model.safetensors --identifier acme-chat \
  --display-name "Acme Chat" --endpoint https://api.acme.example/v1/chat \
  --description "Answers questions about our products" --if-not-exists

# On the machine that serves the model: are these the registered files?
countersign models check model.safetensors --model acme-chat
