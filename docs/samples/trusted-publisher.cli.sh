countersign publishers add --github acme/models \
  --workflow release.yml --environment release
countersign publishers list
