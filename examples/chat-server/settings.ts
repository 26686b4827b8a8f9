const required = ['COUNTERSIGN_API_URL', 'COUNTERSIGN_API_KEY', 'COUNTERSIGN_MODEL']

/** Reads the environment variables. If any are missing, lists them and exits. */
export const readSettings = (...more: string[]) => {
  const missing = [...required, ...more].filter((name) => !process.env[name])
  if (missing.length > 0) {
    console.error(`Missing: ${missing.join(', ')}`)
    process.exit(2)
  }
  const {
    COUNTERSIGN_API_URL: registry = '',
    COUNTERSIGN_API_KEY: apiKey = '',
    COUNTERSIGN_MODEL: modelId = '',
  } = process.env
  return { registry, apiKey, modelId }
}
