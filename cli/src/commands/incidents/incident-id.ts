import { type Incident, isId } from '@countersign/sdk/contract'
import { usage } from '../../failure.ts'

export const exampleId = 'inc_06dh0e3x7c9bw4vjz2n8qk5ytm'

export const checkIncidentId = (named: string): Incident['id'] => {
  if (isId('inc', named)) return named as Incident['id']
  throw usage(
    `${JSON.stringify(named)} is not an incident ID; incident IDs are inc_ and 26 characters`,
    'See: countersign incidents list',
  )
}
