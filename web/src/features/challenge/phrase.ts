import { challenge } from '#messages/pages/challenge.ts'

const [first, second] = [challenge.words.first.split(' '), challenge.words.second.split(' ')]

/** A uniform random number below `limit`, which must be far below 2³². */
const randomBelow = (limit: number) => {
  const [value = 0] = crypto.getRandomValues(new Uint32Array(1))
  return Math.floor((value / 2 ** 32) * limit)
}

/** Two words and three digits: easy to say, and one of four million. */
export const makePhrase = () =>
  `${first[randomBelow(first.length)]} ${second[randomBelow(second.length)]} ${100 + randomBelow(900)}`

const spelled = (phrase: string) =>
  phrase
    .normalize('NFKC')
    .toLowerCase()
    .split(/[\s-]+/)
    .join(' ')
    .trim()

/** Models change capitals, spaces and hyphens; anything else must match. */
export const isSamePhrase = (one: string, other: string) => spelled(one) === spelled(other)
