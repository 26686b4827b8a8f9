import type { OfflineVerdict } from './verifier.ts'

/** How far the facts of a verdict are in the log. */
export type LogCheckState = 'logged' | 'being_logged' | 'logged_privately' | 'not_logged' | 'could_not_check'

/** What a transparency log proves about a verdict. */
export interface LogCheck {
  /** The state of the weakest fact. */
  state: LogCheckState
  /** One sentence. */
  detail: string
}

/** Requires that the facts behind a verified token are in a log; `pinLog` of `@countersign/sdk/log/pin` makes one. */
export type PinnedLog = (
  verdict: OfflineVerdict,
  link: string,
  issuer: string,
  signal?: AbortSignal,
) => Promise<OfflineVerdict>
