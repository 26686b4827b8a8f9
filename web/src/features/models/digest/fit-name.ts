import { nameProblem } from '@countersign/sdk/contract'

/** Well-known endings of domains, which no file beside a verdict may seem to have. */
const knownEnding = /\.(?:com|net|org|edu|gov|io|ai|app|dev)(?![\p{L}\p{N}.-])/iu

/** Whether the page may show a file's name, which its provider chose, beside a verdict: no word of judgement and no domain. */
export const isFitBesideVerdict = (name: string): boolean =>
  nameProblem(name.replace(/[^\p{L}\p{M}\p{N}. -]+/gu, ' ').trim()) === undefined && !knownEnding.test(name)
