import { codeAt } from '../../server/src/factors/authenticators.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

const bytesOf = (secret: string) => {
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)))
}

/** The code that an app with this secret shows. */
export const appCode = (secret: string, at: number) => codeAt(bytesOf(secret), Math.floor(at / 30_000))
