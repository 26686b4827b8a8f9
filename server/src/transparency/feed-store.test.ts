import { expect, it } from 'vitest'
import { spansOf } from './feed-store.ts'

const proven = (owner: string, position: number) => ({ owner, type: 'domain.proven', position })
const lost = (owner: string, position: number) => ({ owner, type: 'domain.lost', position })
const stale = (owner: string, position: number) => ({ owner, type: 'domain.stale', position })
const end = Number.MAX_SAFE_INTEGER

it.each([
  { name: 'from a proof to its end', turns: [proven('a', 3), lost('a', 7)], spans: [['a', 3, 7]] },
  { name: 'until now while the proof holds', turns: [proven('a', 3)], spans: [['a', 3, end]] },
  { name: 'once if a proof is logged again', turns: [proven('a', 3), proven('a', 5)], spans: [['a', 3, end]] },
  {
    name: 'without the time in between',
    turns: [proven('a', 3), lost('a', 5), proven('b', 5), lost('b', 8), proven('a', 9)],
    spans: [
      ['a', 3, 5],
      ['b', 5, 8],
      ['a', 9, end],
    ],
  },
  {
    name: 'until a proof could not be confirmed, and its end',
    turns: [proven('a', 3), stale('a', 5), lost('a', 8), proven('b', 8)],
    spans: [
      ['a', 3, 5],
      ['a', 8, 8],
      ['b', 8, end],
    ],
  },
  {
    name: 'everything if a proof was confirmed again',
    turns: [proven('a', 3), stale('a', 5), proven('a', 8)],
    spans: [['a', 3, end]],
  },
  {
    name: 'nothing new while a proof cannot be confirmed',
    turns: [proven('a', 3), stale('a', 5)],
    spans: [['a', 3, 5]],
  },
  {
    name: 'nothing between the loss of a domain and its restored proof',
    turns: [proven('a', 3), lost('a', 5), stale('a', 9), lost('a', 10)],
    spans: [
      ['a', 3, 5],
      ['a', 9, 9],
      ['a', 10, 10],
    ],
  },
  {
    name: 'nothing from before a restored proof that was lost on an earlier page',
    turns: [proven('b', 5), lost('b', 8), stale('a', 9), proven('a', 11)],
    spans: [
      ['b', 5, 8],
      ['a', 9, end],
    ],
  },
  {
    name: 'from its end for a proof that was logged before the oldest entry',
    turns: [lost('a', 5), proven('b', 6)],
    spans: [
      ['a', 5, 5],
      ['b', 6, end],
    ],
  },
  { name: 'nothing without a proof', turns: [], spans: [] },
])('the feed of a domain has $name', ({ turns, spans }) => {
  expect(spansOf(turns).map(({ owner, first, last }) => [owner, first, last])).toEqual(spans)
})
