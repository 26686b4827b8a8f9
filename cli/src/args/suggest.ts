import { lookUp } from '../look-up.ts'

const creating = ['create', 'register', 'mint', 'add', 'invite']
const removing = ['delete', 'remove', 'archive', 'revoke']
/** What other tools call a command. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  add: creating,
  create: creating,
  delete: removing,
  describe: ['show'],
  get: ['show'],
  info: ['show'],
  ls: ['list'],
  new: creating,
  remove: removing,
  rm: removing,
  view: ['show'],
}

/** The words that were probably meant, nearest first. Commander has the same but does not export it. */
export const suggest = (word: string, known: readonly string[]): string[] => {
  const other = lookUp(otherNames, word)?.find((name) => known.includes(name))
  if (other !== undefined) return [other]
  const near = [...new Set(known)].flatMap((each) => {
    const distance = distanceBetween(word, each)
    const isNear = distance <= maxDistance && distance < 0.4 * Math.max(word.length, each.length)
    return isNear ? [{ each, distance }] : []
  })
  const least = Math.min(...near.map(({ distance }) => distance))
  return near
    .filter(({ distance }) => distance === least)
    .map(({ each }) => each)
    .sort()
}

const maxDistance = 3

/** Letters to insert, delete, replace or swap with their neighbour (optimal string alignment). */
const distanceBetween = (left: string, right: string): number => {
  const rows = [Array.from({ length: right.length + 1 }, (_, index) => index)]
  for (let i = 1; i <= left.length; i++) {
    const row = [i]
    for (let j = 1; j <= right.length; j++) {
      const isSame = left[i - 1] === right[j - 1]
      const isSwapped = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]
      row[j] = Math.min(
        (rows[i - 1]?.[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (rows[i - 1]?.[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (rows[i - 2]?.[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    rows.push(row)
  }
  return rows[left.length]?.[right.length] ?? 0
}
