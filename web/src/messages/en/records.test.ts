import { expect, it } from 'vitest'
import { communityStats } from './pages/community-stats.ts'
import { modelPage } from './pages/model-page.ts'
import { modelParts } from './pages/model-parts.ts'
import { providerPage } from './pages/provider-page.ts'
import { report } from './pages/report.ts'

const spoken = JSON.stringify({ communityStats, modelPage, modelParts, providerPage, report })

it.each([
  'Domain Verified',
  'Email Verified',
  'Unverified',
  'Public Models',
  'Provider Not Available',
  'This provider profile is private or does not exist.',
  'Failed to load provider information.',
  'Model Not Found',
  'Model not found or is not publicly available',
  'Failed to load data',
  'Model ID is required',
  'Model Security',
  'Verify Bundle',
  'Authentication required to verify bundle',
  'Bundle verification triggered successfully',
  'Failed to trigger bundle verification',
  'Deployment Authorization',
  'Deployment authorized for model',
  'Deployment already authorized for this model',
  'Model authorization revoked',
  'Failed to revoke deployment authorization',
  'No API key found. Please log in again.',
  'Community Stats',
  'Report an Issue',
  'Malicious Content',
  'Privacy Violation',
  'Impersonation',
  'Other',
  'Thank you for your report! We will investigate this issue and take appropriate action.',
  'Failed to submit report. Please try again.',
  'Issue reported successfully',
])('says “%s” word for word', (words) => {
  expect(spoken).toContain(`"${words}"`)
})

it.each([
  [modelPage.title('Atlas Chat 2.1', 'acme.example', 'registered'), 'acme.example: “Atlas Chat 2.1”'],
  [modelPage.title('Atlas Chat 2.1', 'acme.example', 'withdrawn'), 'acme.example: withdrew “Atlas Chat 2.1”'],
  [
    modelPage.title('Atlas Chat 2.1 by acme.example', null, 'registered'),
    'Provider not checked: “Atlas Chat 2.1 by acme.example”',
  ],
  [providerPage.title('acme.example', 'Acme Labs'), 'acme.example: “Acme Labs”'],
  [providerPage.title('acme.example', null), 'acme.example'],
  [providerPage.title(null, 'acme.example'), 'Provider not checked: “acme.example”'],
  [providerPage.title(null, null), 'Provider not checked'],
])('titles unchecked records differently from checked ones: %s', (title, expected) => {
  expect(title).toBe(expected)
})
