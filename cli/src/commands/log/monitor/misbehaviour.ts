import type { Evidence } from '../evidence.ts'

/** What the log did wrong. */
export class Misbehaviour extends Error {
  override name = 'Misbehaviour'
  readonly evidence: Evidence

  constructor(evidence: Evidence) {
    super(evidence.kind)
    this.evidence = evidence
  }
}
