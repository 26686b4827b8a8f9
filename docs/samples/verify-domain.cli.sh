# 0 verified, 3 the record is not there, 9 nobody could look
countersign providers verify-domain
