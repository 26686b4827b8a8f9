# 200: good now. 400 or 404: not good. 503: could not be checked
curl https://registry.example/api/v1/verify/W904-2CKW-GDNC-X7S1
