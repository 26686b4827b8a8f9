# Name, endpoint and description stay unless you change them
countersign models register --identifier acme-chat --new-version \
  --version 2.0.0 --copy-authorizations

countersign models history acme-chat

# Withdraw the previous version, if its links should stop
countersign models archive mdl_06dh0e3x7c9bw4vjz2n8qk5ytm \
  --reason "Replaced by 2.0.0" --yes
