countersign models list --json
countersign search atlas --models
