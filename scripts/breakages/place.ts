import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Breakage } from './breakage.ts'

const countIn = (path: string, find: string) => readFileSync(path, 'utf8').split(find).length - 1

/** Returns the named file if it has the snippet, or the package's only source that has it exactly once. */
export const placeOf = (
  root: string,
  { package: folder, file, find }: Breakage,
): { file: string } | { problem: string } => {
  if (existsSync(join(root, file)) && countIn(join(root, file), find) === 1) return { file }
  const holders = globSync(`${folder}/{src,public}/**/*.{ts,tsx,css,js}`, { cwd: root })
    .filter((path) => !/\.test\.tsx?$/.test(path))
    .map((path) => ({ path, count: countIn(join(root, path), find) }))
    .filter(({ count }) => count > 0)
  const [holder] = holders
  if (holders.length === 1 && holder?.count === 1) return { file: holder.path }
  const found = holders.map(({ path, count }) => `${path} (${count})`).join(', ')
  return {
    problem: `the snippet must occur once in ${file} or in one other source of ${folder}; found in: ${found || 'no file'}\n  ${find}`,
  }
}

/** Returns the named test file or, if it was moved, the package's only file of that name. */
export const testFileOf = (root: string, named: string): string | undefined => {
  if (existsSync(join(root, named))) return named
  const [found, ...others] = globSync(`${named.split('/')[0]}/**/${basename(named)}`, {
    cwd: root,
    exclude: ['**/node_modules/**'],
  })
  return others.length === 0 ? found : undefined
}

/** What to correct in breakages that no longer fit the code. */
export const staleOf = (root: string, breakages: readonly Breakage[]): string[] =>
  breakages.flatMap((breakage) => {
    const place = placeOf(root, breakage)
    const missing = breakage.tests.filter((test) => testFileOf(root, test) === undefined)
    return [
      ...('problem' in place ? [`${breakage.id}: ${place.problem}`] : []),
      ...missing.map((test) => `${breakage.id}: there is no test file ${test}`),
    ]
  })
