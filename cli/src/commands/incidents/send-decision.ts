import { ApiError, type Countersign } from '@countersign/sdk'
import type { Incident, IncidentResponse } from '@countersign/sdk/contract'

export interface Decision extends IncidentResponse {
  id: Incident['id']
}

/** What a decision met: it was taken, or somebody else had closed the report. */
export interface Sent {
  isTaken: boolean
  incident: Incident
}

/** Sends a decision. One that stands there already, because its answer got lost or it is sent again, counts as taken. */
export const sendDecision = async (client: Countersign, { id, status, response }: Decision): Promise<Sent> => {
  try {
    return { isTaken: true, incident: await client.incidents.respond(id, { status, response }) }
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'incident_closed') throw error
    const incident = await client.incidents.get(id)
    const isTaken = incident.status === status && (response === undefined || response === '' || incident.provider_response === response)
    return { isTaken, incident }
  }
}
