# Exits 0 (verified), 3 (record not found), 9 (could not check)
countersign providers verify-domain
