const needed = ['COUNTERSIGN_API_URL', 'COUNTERSIGN_API_KEY', 'COUNTERSIGN_MODEL']

/** What a program of this folder is told by its environment. Where something is missing it says so and ends. */
export const readSettings = (...more: string[]) => {
  const missing = [...needed, ...more].filter((name) => !process.env[name])
  if (missing.length > 0) {
    console.error(`Missing: ${missing.join(', ')}`)
    process.exit(2)
  }
  const { COUNTERSIGN_API_URL: registry = '', COUNTERSIGN_API_KEY: apiKey = '', COUNTERSIGN_MODEL: modelId = '' } = process.env
  return { registry, apiKey, modelId }
}
