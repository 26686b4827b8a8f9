import { expect, it } from 'vitest'
import { failures } from './failures.ts'

it.each([
  ['provider', 502, 'Failed to fetch provider data (502)'],
  ['currentProvider', 500, 'Failed to fetch current provider (500)'],
  ['models', 504, 'Failed to fetch provider models (504)'],
  ['history', 502, 'Failed to fetch model history (502)'],
  ['modelVisibility', 503, 'Failed to update model visibility (503)'],
  ['modelVisibility', 400, 'Invalid visibility settings'],
  ['providerVisibility', 502, 'Failed to update provider visibility (502)'],
  ['providerVisibility', 422, 'Invalid visibility settings'],
  ['report', 413, 'Failed to report incident (413)'],
  ['deployment', 502, '502 Bad Gateway'],
  ['deployment', 520, '520'],
  ['model', 502, 'Server error (502): Bad Gateway'],
  ['model', 520, 'Failed to register model'],
] as const)('%s: %i says “%s”', (kind, status, words) => {
  expect(failures[kind](status)).toBe(words)
})
