# In a script: continue only with that provider and model
countersign verify "$LINK" --expect-provider acme.example \
  --expect-model mdl_06dh0e3x7c9bw4vjz2n8qk5ytm || exit 1
echo "Go on"
