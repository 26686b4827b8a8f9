/** Every statement that ran in this worker, so that a test can judge what kind of SQL the registry speaks. */
const statements = new Set<string>()
let watched: string[] | undefined

export const recordStatement = (sql: string) => {
  statements.add(sql)
  watched?.push(sql)
}

export const recordedStatements = (): readonly string[] => [...statements]

/** What ran while `work` did, in order and as often as it ran. */
export const statementsOf = async (work: () => Promise<unknown>): Promise<readonly string[]> => {
  const own: string[] = []
  watched = own
  try {
    await work()
  } finally {
    watched = undefined
  }
  return own
}
