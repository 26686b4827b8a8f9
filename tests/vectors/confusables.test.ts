import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { nameProblem, resembled } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import { expect, it } from 'vitest'
import { findPython } from '../support/python.ts'

const run = promisify(execFile)
const { program, why } = await findPython()
const skipped = why === undefined ? '' : ` (skipped: ${why})`

const printed = `import os, confusable_homoglyphs as c; print(open(os.path.join(os.path.dirname(c.__file__), 'confusables.json')).read())`

const readData = async () => {
  const { stdout } = await run(program, ['-c', printed], { maxBuffer: 100_000_000 })
  return Object.entries(JSON.parse(stdout) as Record<string, { c: string }[]>)
}

/**
 * Characters that names may contain although we read them otherwise. The data compares single letters, but words in Cyrillic or Greek with
 * `Ю` or `θ` are not read as Latin, and one of Greek capitals is rejected if it is. `գ`, `ա`, `ჿ`, `Ң` and `Ҙ` look like another Latin
 * letter as well. `۰` is a Persian zero, which is rejected beside Latin letters.
 */
const excepted = new Set('БбЗӠЫЮΘθϑϴΗΜΝΥգաჿҢҘ۰')

const asRead = (text: string) => resembled(text).replace(/rn/g, 'm').replace(/\.+/g, '.')

it.skipIf(why !== undefined)(
  `reads every character that names may contain as the Latin letter, digit or dot that Unicode’s confusables.txt has for it${skipped}`,
  async () => {
    const all = (await readData()).flatMap(([character, others]) => {
      const looksLike = others
        .map(({ c }) => c.normalize('NFKD').replace(/\p{M}|'/gu, ''))
        .filter((text) => /^[a-z0-9.]+$/i.test(text))
      const isOne = character > '\x7f' && [...character].length === 1 && /[\p{L}\p{M}\p{N}]/u.test(character)
      return isOne && looksLike.length > 0 ? [{ character, looksLike }] : []
    })
    const missed = all.filter(({ character, looksLike }) =>
      // Alone, in a word of its own alphabet, and in a Latin word.
      [character, character.repeat(3), `ab${character}ab`]
        .filter((name) => nameProblem(name) === undefined)
        .some((name) => !looksLike.some((text) => asRead(name) === asRead(name.replaceAll(character, text)))),
    )
    expect(all.length).toBeGreaterThan(1_300)
    expect(missed.map(({ character }) => character).filter((character) => !excepted.has(character))).toEqual([])
  },
)

it.skipIf(why !== undefined)(
  `quotes no text with a character that Unicode’s confusables.txt has for a quotation mark${skipped}`,
  async () => {
    const all = (await readData()).flatMap(([character, others]) =>
      [...character].length === 1 && others.some(({ c }) => /^["'`´‘’‛“”‟′-‷゛]+$/.test(c)) ? [character] : [],
    )
    expect(all.length).toBeGreaterThan(20)
    expect(all.filter((mark) => quote(`Atlas${mark} is proven ${mark}X`) !== '“Atlas is proven X”')).toEqual([])
  },
)
