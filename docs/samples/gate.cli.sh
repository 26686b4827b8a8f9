# In a script: continue only with that provider and model
# What follows -- is never an option, and - is not stdin
countersign verify --expect-provider acme.example \
  --expect-model mdl_06dh0e3x7c9bw4vjz2n8qk5ytm \
  -- "$LINK" || exit 1
echo "Go on"
