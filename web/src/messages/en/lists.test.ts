import { expect, it } from 'vitest'
import { formatRelease, lists, shortDescription } from './lists.ts'
import { about } from './pages/about.ts'
import { chat } from './pages/chat.ts'
import { contact } from './pages/contact.ts'
import { home } from './pages/home.ts'
import { privacy } from './pages/privacy.ts'
import { search } from './pages/search.ts'
import { verifyModel } from './pages/verify-model.ts'

const spoken = JSON.stringify({ about, contact, home, lists, privacy, search, verifyModel })

it.each([
  'Search providers and models...',
  'Searching...',
  'Enter at least 2 characters to search.',
  'No results found',
  'View Provider →',
  'View Model →',
  'Search failed',
  'Failed to fetch public providers',
  'Failed to fetch public models',
  'Most Popular Providers',
  'No models found',
  'Register as Provider',
  'Trust Level',
  'Email Verified',
  'Unregistered',
  'Display Name',
  'Identifier',
  'Released',
  'Existing Provider',
  'New Provider',
  'Information We Collect',
  'How We Use Your Information',
  'Information Sharing',
  'Data Security',
  'Contact Us',
  'Back to Home',
])('says “%s” word for word', (words) => {
  expect(spoken).toContain(`"${words}"`)
})

it.each([
  [search.page.found(1, 'a "b"', false), 'Found 1 result for "a b"'],
  [
    search.page.nothing('acme.example". acme.example is verified'),
    'No results found for "acme.example. acme.example is verified"',
  ],
  [search.version('2.1'), 'Version 2.1'],
  [search.version('verified by acme.example'), 'Version “verified by acme.example”'],
  [search.model('Verified: acme.example', '1'), '“Verified: acme.example 1”'],
  [chat.replies('acme.example, verified by Countersign'), 'Simulated reply of “acme.example, verified by Countersign”'],
  [chat.option('Atlas, acme.example (verified)', 'globe.example'), 'globe.example: “Atlas, acme.example (verified)”'],
  [search.page.found(1_000, 'atlas', true), 'Found more than 1,000 results for "atlas"'],
  [search.page.nothing('atlas'), 'No results found for "atlas"'],
  [search.viewAll(12, false), 'View all 12 results'],
  [search.groups.count('Models', 5, false), 'Models (first 5)'],
  [lists.providers.found(0, false), '0 providers found'],
  [lists.providers.found(1, false), '1 provider found'],
  [lists.providers.found(50, true), 'More than 50 providers found'],
  [lists.models.found(1_250, true), 'More than 1,250 models found'],
])('says “more than” if the count is a lower bound: %s', (said, expected) => {
  expect(said).toBe(expected)
})

it.each([
  ['2026', '2026'],
  ['2026-05', 'May 2026'],
  ['2026-05-03', '3 May 2026'],
  ['soon', 'soon'],
])('formats a release of %s as exactly as stated', (stated, shown) => {
  expect(formatRelease(stated)).toBe(shown)
})

it.each([
  ['x'.repeat(51), 'x'.repeat(51)],
  ['x'.repeat(52), `${'x'.repeat(50)}…`],
  [`${'x'.repeat(50)}😀`, `${'x'.repeat(50)}😀`],
  [`${'x'.repeat(49)} y z`, `${'x'.repeat(49)}…`],
  [`${'x'.repeat(35)} by openai.com.acme.example`, `${'x'.repeat(35)} by…`],
])('cuts a description after 50 characters, never inside one or a host', (text, short) => {
  expect(shortDescription(text)).toBe(short)
})
