import type { incidents } from '@countersign/sdk/contract'
import type { z } from 'zod'
import { client } from '../../data/client.ts'

export type NewReport = z.input<typeof incidents.report.body>

const createKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

let last = { text: '', key: '' }

/** Sends a report. A retry after a lost response does not create a second one. */
export const reportIncident = (report: NewReport) => {
  const text = JSON.stringify(report)
  if (text !== last.text) last = { text, key: createKey() }
  return client.incidents.report(report, { idempotencyKey: last.key })
}
