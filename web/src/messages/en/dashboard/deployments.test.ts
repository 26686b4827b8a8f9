import { expect, it } from 'vitest'
import { deploymentsTab } from './deployments.ts'
import { incidentsTab } from './incidents.ts'
import { registerDeployment } from './register-deployment.ts'
import { respondIncident } from './respond-incident.ts'

const spoken = JSON.stringify({ deploymentsTab, registerDeployment, incidentsTab, respondIncident })

it.each([
  'Register Deployment',
  'Total',
  'Enabled',
  'Disabled',
  'Add Model',
  'No deployments registered',
  'Failed to load deployments',
  'Failed to load deployment data',
  'Failed to register deployment',
  'SPKI fingerprint already registered',
  'Failed to update deployment status',
  'Failed to delete deployment',
  'Failed to authorize deployment',
  'Deployment already authorized for this model',
  'Failed to revoke model authorization',
  'Deployment registered successfully',
  'Deployment enabled',
  'Deployment disabled',
  'Deployment deleted',
  'Deployment authorized for model',
  'Model authorization revoked',
  'Total Reports',
  'All Incidents',
  'Reported',
  'Investigating',
  'Resolved',
  'Dismissed',
  'Anonymous',
  'Incident Details',
  'Respond to Incident',
  'No incidents reported yet',
  'Failed to submit response',
  'Incident response submitted successfully',
])('says “%s” word for word', (words) => {
  expect(spoken).toContain(`"${words}"`)
})

it('says what deleting a deployment does, word for word', () => {
  expect(deploymentsTab.delete.text).toMatch(
    /permanently delete the deployment and remove all model authorizations\. This action cannot be undone\.$/,
  )
})
