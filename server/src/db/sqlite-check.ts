import { existsSync } from 'node:fs'
import Sqlite from 'better-sqlite3'

/**
 * What is wrong with a database file; undefined if its structure is intact. Reads the whole file, about a second per gigabyte.
 */
export const findDamage = (file: string): string | undefined => {
  if (!existsSync(file)) return undefined
  try {
    const handle = new Sqlite(file, { readonly: true })
    try {
      const answers = handle.pragma('quick_check(3)', { simple: false }) as { quick_check: string }[]
      const problems = answers.map(({ quick_check }) => quick_check).filter((text) => text !== 'ok')
      return problems.length === 0 ? undefined : problems.join(' ').replace(/\s+/g, ' ')
    } finally {
      handle.close()
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return (error as Error).message
    throw error
  }
}
