import { describe, expect, it } from 'vitest'
import { emptyProfile } from '../db/provider-fields.ts'
import { skeletonOf } from '../names/rules.ts'
import { changesOf, type Fields, verificationLevelOf } from './rules.ts'

const registered = {
  company_name: 'Acme',
  email: 'a@acme.example',
  website: 'https://acme.example',
  email_verified_at: null,
  domain_verified_at: null,
}

it.each([
  { name: 'nothing proven', change: {}, level: 'unverified' },
  { name: 'a name missing', change: { company_name: null, domain_verified_at: 1 }, level: 'unregistered' },
  { name: 'the mailbox verified', change: { email_verified_at: 1 }, level: 'partially_verified' },
  { name: 'the domain proven', change: { domain_verified_at: 1 }, level: 'verified' },
])('with $name the level is $level', ({ change, level }) => {
  expect(verificationLevelOf({ ...registered, ...change })).toBe(level)
})

describe('names', () => {
  it.each([
    ['Acme', 'ACME'],
    ['Acme', 'Äcmé'],
    ['Acme', 'Ａｃｍｅ'],
    ['Acme', 'Аcme'],
    ['Acme', 'Αсмe'],
    ['Acme Labs', 'Acme-Labs'],
    ['Acme Labs', 'AcmeLabs.'],
    ['Acme', 'Acrne'],
    ['Vow', 'Vovv'],
    ['Bill', 'BilI'],
    ['Bill', 'B1ll'],
    ['Open', '0pen'],
    ['Open', 'Ореn'],
    ['Straße', 'STRASSE'],
    ['Encyclopædia', 'Encyclopaedia'],
    ['Łódź', 'Lodz'],
    ['İris', 'iris'],
    ['𝐀𝐜𝐦𝐞', 'Acme'],
    ['ᴀcme', 'Acme'],
    ['ᴀᴄᴍᴇ', 'Acme'],
    ['Ꭺcme', 'Acme'],
    ['ᎪᏟᎷᎬ', 'Acme'],
    ['ꓮꓚꓟꓰ', 'Acme'],
    ['ɑcme', 'Acme'],
    ['Aᴄme', 'Acme'],
    ['Αϲmе', 'Acme'],
    ['Ⲁⲥme', 'Acme'],
    ['🅰cme', 'Acme'],
    ['Ⓐcme', 'Acme'],
    ['Acme 🇫🇷', 'Acme'],
    ['Νοrthwind', 'Northwind'],
    ['Нοrνаth', 'Horvath'],
    ['Acme… Inc', 'Acme'],
    ['Acme, Inc.', 'Acme'],
    ['Acme.Inc', 'Acme'],
    ['Acme, Ιnc', 'Acme'],
    ['The Acme…', 'Acme'],
    ['The Acme Company Ltd', 'Acme'],
    ['Acme G.m.b.H. & Co. KG', 'Acme'],
    ['Acme S.A.', 'Acme'],
    ['The Company', 'Company'],
  ])('%s and %s look alike', (one, other) => {
    expect(skeletonOf(one)).toBe(skeletonOf(other))
  })

  it.each([
    ['Acme', 'Acne'],
    ['Acme', 'Acme Labs'],
    ['Acme', 'Theacme'],
    ['Zinc', 'Z'],
    ['North', 'South'],
    ['東京', '京都'],
    ['Atlas 1', 'Atlas 2'],
  ])('%s and %s do not look alike', (one, other) => {
    expect(skeletonOf(one)).not.toBe(skeletonOf(other))
    expect(skeletonOf(one)).not.toBeNull()
  })

  it.each(['', '...', '🦦🦦', ' - '])('%j cannot look like another name', (name) => {
    expect(skeletonOf(name)).toBeNull()
  })
})

describe('a change', () => {
  const row: Fields = {
    ...emptyProfile,
    company_name: 'Acme',
    industry: 'Maps',
    specialties: '["maps"]',
    phone_number: '+47 1',
    founded_year: 2019,
  }

  it.each([
    { name: 'of nothing', input: {}, set: {}, before: {}, after: {} },
    {
      name: 'to the current value',
      input: { company_name: 'Acme', founded_year: 2019, specialties: ['maps'], phone_number: '+47 1' },
      set: {},
      before: {},
      after: {},
    },
    {
      name: 'that empties what is empty',
      input: { hq_city: '', specialties: ['maps'] },
      set: {},
      before: {},
      after: {},
    },
    {
      name: 'of a text',
      input: { industry: 'Space' },
      set: { industry: 'Space' },
      before: { industry: 'Maps' },
      after: { industry: 'Space' },
    },
    {
      name: 'that empties a text',
      input: { industry: '' },
      set: { industry: null },
      before: { industry: 'Maps' },
      after: { industry: null },
    },
    {
      name: 'of a list',
      input: { specialties: [] },
      set: { specialties: '[]' },
      before: { specialties: ['maps'] },
      after: { specialties: [] },
    },
    {
      name: 'of a number',
      input: { founded_year: 2020 },
      set: { founded_year: 2020 },
      before: { founded_year: 2019 },
      after: { founded_year: 2020 },
    },
    {
      name: 'about people, which is not disclosed',
      input: { phone_number: '+47 2', support_email: 'a@acme.example' },
      set: { phone_number: '+47 2', support_email: 'a@acme.example' },
      before: {},
      after: { undisclosed: ['support_email', 'phone_number'] },
    },
  ])('$name', ({ input, set, before, after }) => {
    expect(changesOf(row, input)).toEqual({ set, before, after })
  })
})
