import { expect, it } from 'vitest'
import { endpointPlace, endpointText } from './endpoint-place.ts'

const long = `https://api.acme.example:8443/${'✓'.repeat(100)}`

it.each([
  { endpoint: 'https://api.acme.example/v1', text: 'https://api.acme.example/v1', place: 'api.acme.example/…' },
  { endpoint: 'https://api.acme.example', text: 'https://api.acme.example/', place: 'api.acme.example' },
  { endpoint: 'https://api.acme.example?✓', text: 'https://api.acme.example/?%E2%9C%93', place: 'api.acme.example/…' },
  {
    endpoint: 'https://аcme.example/\u3164',
    text: 'https://xn--cme-5cd.example/%E3%85%A4',
    place: 'xn--cme-5cd.example/…',
  },
  { endpoint: long, text: 'https://api.acme.example:8443/…', place: 'api.acme.example:8443/…' },
  { endpoint: '', text: '', place: '' },
])('shows $endpoint as $text, in tables as $place', ({ endpoint, text, place }) => {
  expect(endpointText(endpoint)).toBe(text)
  expect(endpointPlace(endpoint)).toBe(place)
})
