import { ApiError, type Countersign } from '@countersign/sdk'
import type { Incident, IncidentResponse } from '@countersign/sdk/contract'

export interface Decision extends IncidentResponse {
  id: Incident['id']
}

/** Outcome of sending: accepted, or someone else had closed the report. */
export interface Sent {
  isTaken: boolean
  incident: Incident
}

/** Sends a decision. If the report already has this answer (a lost response, or sent twice), it counts as accepted. */
export const sendDecision = async (client: Countersign, { id, status, response }: Decision): Promise<Sent> => {
  try {
    return { isTaken: true, incident: await client.incidents.respond(id, { status, response }) }
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'incident_closed') throw error
    const incident = await client.incidents.get(id)
    const isTaken =
      incident.status === status &&
      (response === undefined || response === '' || incident.provider_response === response)
    return { isTaken, incident }
  }
}
