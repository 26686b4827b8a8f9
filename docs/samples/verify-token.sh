# 200: valid now. 400 or 404: not valid. 503: could not check
curl https://registry.example/api/v1/verify/W904-2CKW-GDNC-X7S1
