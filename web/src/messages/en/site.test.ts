import { expect, it } from 'vitest'
import { codePage, link } from './pages/link.ts'
import { linkDetails } from './pages/link-details.ts'
import { notFound } from './pages/not-found.ts'
import { formatClock, formatTimeLeft, site } from './site.ts'

const spoken = JSON.stringify({ site, link, linkDetails, codePage, notFound })

it.each([
  'Verifying your AI model interaction...',
  'Verified AI Model',
  'Cryptographically Verified',
  'Verification Failed',
  'This verification link has expired or is invalid. Verification links are valid for 15 minutes.',
  'The model or provider associated with this verification no longer exists.',
  'Unable to verify this link. Please try again or contact support.',
  'Verification failed. Token may be invalid or expired.',
  'No verification token provided.',
  'Model Details',
  'Verified At',
  'Model ID',
  'Provider Details',
  'Provider ID',
  'Model Security',
  'Deployment Information',
  'What This Verification Means',
  'Return to Homepage',
  'Copy Verification URL',
  'Verification URL copied to clipboard',
  'Failed to copy to clipboard',
  'Learn More',
  'Oops! Page not found',
  'Something went wrong',
  'An unexpected error occurred',
  'Reload Page',
  'Cryptographic identity verification for AI models',
])('says “%s” word for word', (words) => {
  expect(spoken).toContain(`"${words}"`)
})

it.each([
  { ms: 753_000, shown: '12 min 33 s' },
  { ms: 752_001, shown: '12 min 33 s' },
  { ms: 900_000, shown: '15 min 0 s' },
  { ms: 1, shown: '0 min 1 s' },
  { ms: 0, shown: '0 min 0 s' },
  { ms: -5_000, shown: '0 min 0 s' },
])('formats $ms ms as $shown', ({ ms, shown }) => {
  expect(formatTimeLeft(ms)).toBe(shown)
})

it('formats a time of day with its zone', () => {
  expect(formatClock('2026-11-21T13:34:59.000Z')).toBe('13:34 UTC')
})
