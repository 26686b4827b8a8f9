import { existsSync, readFileSync } from 'node:fs'

/**
 * TXT records from a file, one per line: `NAME TXT "VALUE"`. Every query reads the file, so a record counts as soon as it is
 * saved.
 */
export const readZoneFile = (file: string) => (name: string) => {
  if (!existsSync(file)) return undefined
  const values = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => /^(\S+?)\.?\s+(?:\d+\s+)?(?:IN\s+)?TXT\s+"?([^"]*)"?\s*$/i.exec(line.trim()) ?? [])
    .filter(([, owner]) => owner?.toLowerCase() === name)
    .map(([, , value = '']) => value)
  return values.length > 0 ? values : undefined
}
