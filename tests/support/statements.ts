/** Every statement that ran in this worker, so that a test can judge what kind of SQL the registry speaks. */
const statements = new Set<string>()

export const recordStatement = (sql: string) => {
  statements.add(sql)
}

export const recordedStatements = (): readonly string[] => [...statements]
