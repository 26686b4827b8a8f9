import { challenge } from '#messages/pages/challenge.ts'

const [first, second] = [challenge.words.first.split(' '), challenge.words.second.split(' ')]

/** A number below `limit`, each as likely as any other; `limit` is far below 2³². */
const randomBelow = (limit: number) => {
  const [value = 0] = crypto.getRandomValues(new Uint32Array(1))
  return Math.floor((value / 2 ** 32) * limit)
}

/** Two words and three digits: short enough to say, and one of four million. */
export const makePhrase = () => `${first[randomBelow(first.length)]} ${second[randomBelow(second.length)]} ${100 + randomBelow(900)}`

const spelled = (phrase: string) =>
  phrase
    .normalize('NFKC')
    .toLowerCase()
    .split(/[\s-]+/)
    .join(' ')
    .trim()

/** Models change capitals, spaces and hyphens; nothing else may differ. */
export const isSamePhrase = (one: string, other: string) => spelled(one) === spelled(other)
