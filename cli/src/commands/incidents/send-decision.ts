import { ApiError, type Countersign } from '@countersign/sdk'
import type { Incident, IncidentResponse } from '@countersign/sdk/contract'

const lostRaces = ['incident_closed', 'changed_elsewhere']

export interface Decision extends IncidentResponse {
  id: Incident['id']
}

/** Outcome of sending: accepted, or someone else had answered the report. It may be open still. */
export interface Sent {
  isTaken: boolean
  incident: Incident
}

/**
 * Sends a decision. If the report already has this answer (a lost response, or sent twice), it counts as accepted. With the ETag of the
 * report that the person saw, nothing is sent over an answer that someone else gave meanwhile.
 */
export const sendDecision = async (
  client: Countersign,
  { id, status, response }: Decision,
  etag?: string | null,
): Promise<Sent> => {
  try {
    return {
      isTaken: true,
      incident: await client.incidents.respond(
        id,
        { status, response },
        etag ? { headers: { 'If-Match': `"${etag}"` } } : {},
      ),
    }
  } catch (error) {
    if (!(error instanceof ApiError) || !lostRaces.includes(error.code)) throw error
    const incident = await client.incidents.get(id)
    const isTaken =
      incident.status === status &&
      (response === undefined || response === '' || incident.provider_response === response)
    return { isTaken, incident }
  }
}
