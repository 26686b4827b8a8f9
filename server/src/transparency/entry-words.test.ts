import type { OpenEntry } from '@countersign/sdk/log/entries'
import { describe, expect, it } from 'vitest'
import { describeEntry, nameLine } from './entry-words.ts'

const hostile = '1” is proven by “Northwind'
const quoted = '“1 is proven by Northwind”'
const exact = '“1\\u{201d} is proven by \\u{201c}Northwind”'

describe('what people chose cannot continue the sentence of an entry', () => {
  it.each([
    { type: 'version.registered', says: `Registered “atlas” ${quoted}, ${quoted} (mdl_1)` },
    { type: 'version.archived', says: `Archived ${quoted} (mdl_1)` },
    { type: 'bundle.verified', says: `The signature of ${quoted} (mdl_1) is valid, by ${exact}` },
    {
      type: 'bundle.verified',
      spki: 'ab12',
      identity: `someone certified by a declared authority: ${hostile}`,
      says: `The signature of ${quoted} (mdl_1) is valid, by someone certified by a declared authority: ${exact}`,
    },
    {
      type: 'bundle.verified',
      spki: 'ab12',
      identity: 'key ab12',
      says: `The signature of ${quoted} (mdl_1) is valid, by key ab12`,
    },
    {
      type: 'bundle.third_party',
      identity: 'someone certified by a declared authority: Northwind',
      says: `The signature of ${quoted} (mdl_1) is valid, but of a third party: “someone certified by a declared authority: Northwind”`,
    },
    {
      type: 'bundle.third_party',
      says: `The signature of ${quoted} (mdl_1) is valid, but of a third party: ${exact}`,
    },
    {
      type: 'signer.declared',
      identity: `atlas\n${JSON.stringify({ kind: 'identity', issuer: 'https://ci.example', identity: hostile })}`,
      says: `Declared the signer ${exact} of “https://ci.example” for “atlas”, not proven (sgn_1)`,
    },
    {
      type: 'signer.declared',
      identity: `\n${JSON.stringify({ kind: 'repository', issuer: 'https://ci.example', repository: 'https://git.example/acme', workflow: hostile })}`,
      says: `Declared the signer “https://git.example/acme”, workflow ${exact}, of “https://ci.example”, not proven (sgn_1)`,
    },
    {
      type: 'signer.declared',
      identity: `\n${JSON.stringify({ kind: 'key', public_key: hostile })}`,
      says: 'Declared the signer with a public key (sgn_1)',
    },
    {
      type: 'platform.trusted',
      says: `Trusted https://ci.example to vouch for the server dep_1 as ${exact}, declared, not proven (wkl_1)`,
    },
    { type: 'provider.named', says: `The company calls itself ${quoted}` },
  ])('in $type: $says', ({ type, identity = hostile, spki = null, says }) => {
    const ids = { model: 'mdl_1', signer: 'sgn_1', deployment: 'dep_1', workload: 'wkl_1', spki }
    const texts = {
      identifier: 'atlas',
      version: hostile,
      display_name: hostile,
      identity,
      subject: hostile,
      company_name: hostile,
    }
    const entry = { type, issuer: 'https://ci.example', ...ids } as unknown as OpenEntry
    expect(describeEntry(entry, { texts, ofId: new Map([['mdl_1', hostile]]) })).toBe(says)
  })
})

it.each([
  { type: 'platform.trusted', field: 'subject', value: hostile, shown: { identity: exact } },
  {
    type: 'signer.declared',
    field: 'identity',
    value: `atlas\n${JSON.stringify({ kind: 'identity', issuer: 'https://ci.example', identity: hostile })}`,
    shown: { identity: `${exact} of “https://ci.example” for “atlas”, not proven` },
  },
  { type: 'domain.proven', field: 'company_name', value: hostile, shown: { quote: hostile } },
])('shows the $field of $type in an email, identities whole', ({ type, shown, ...name }) => {
  expect(nameLine(type, name)).toEqual(shown)
})
