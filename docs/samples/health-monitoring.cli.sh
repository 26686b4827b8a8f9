countersign models health acme-chat --on --interval 300
countersign models health acme-chat
