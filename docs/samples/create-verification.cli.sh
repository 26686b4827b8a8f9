countersign tokens mint --model acme-chat \
  --challenge "blue otter 42" --origin https://chat.acme.example
