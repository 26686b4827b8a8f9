import { expect, it } from 'vitest'
import { suggest } from './suggest.ts'

it.each([
  { word: 'modles', known: ['models', 'mcp', 'verify'], near: ['models'] },
  { word: 'mnt', known: ['mint', 'bind', 'list'], near: ['mint'] },
  { word: 'regster', known: ['register', 'reactivate'], near: ['register'] },
  { word: 'lst', known: ['list', 'last'], near: ['last', 'list'] },
  { word: 'xyz', known: ['mint', 'bind'], near: [] },
  { word: 'get', known: ['set', 'show'], near: ['show'] },
  { word: 'view', known: ['list', 'mint'], near: [] },
  { word: 'delete', known: ['register', 'archive'], near: ['archive'] },
  { word: 'create', known: ['register', 'list'], near: ['register'] },
  { word: 'new', known: ['mint', 'bind'], near: ['mint'] },
  { word: 'rm', known: ['revoke', 'remove'], near: ['remove'] },
  { word: 'nope', known: ['open', 'mcp'], near: [] },
  { word: 'verison', known: ['version', 'json'], near: ['version'] },
  { word: 'q', known: ['mcp', 'keys'], near: [] },
])('suggests $near for $word', ({ word, known, near }) => {
  expect(suggest(word, known)).toEqual(near)
})
