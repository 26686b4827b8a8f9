import type { Incident } from '@countersign/sdk/contract'
import { usage } from '../../failure.ts'

const incidentId = /^inc_[0-9a-hjkmnp-tv-z]{26}$/

export const exampleId = 'inc_06dh0e3x7c9bw4vjz2n8qk5ytm'

export const checkIncidentId = (named: string): Incident['id'] => {
  if (incidentId.test(named)) return named as Incident['id']
  throw usage(`${JSON.stringify(named)} is no incident: an incident’s id begins with inc_`, 'See: countersign incidents list')
}
