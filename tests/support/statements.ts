/** Every statement that ran in this worker, for this test file or others, so that tests can check the registry's SQL. */
const statements = new Set<string>()
let watched: string[] | undefined

export const recordStatement = (sql: string) => {
  statements.add(sql)
  watched?.push(sql)
}

/** From here on. */
export const forgetStatements = () => statements.clear()

export const recordedStatements = (): readonly string[] => [...statements]

/** The statements that ran during `work`, in order, with repetitions. */
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
