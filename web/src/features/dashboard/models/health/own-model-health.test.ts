import { describe, expect, it } from 'vitest'
import { daysOf } from './own-model-health.ts'

const now = Date.parse('2026-03-02T11:20:00Z')

describe('the days of a week', () => {
  it('end with today and weigh every hour the same', () => {
    const days = daysOf(
      [
        { hour: '2026-02-22T10:00:00.000Z', checks: 1, healthy: 1 },
        { hour: '2026-02-28T10:00:00.000Z', checks: 12, healthy: 12 },
        { hour: '2026-02-28T11:00:00.000Z', checks: 2, healthy: 0 },
        { hour: '2026-03-02T11:00:00.000Z', checks: 4, healthy: 1 },
        { hour: '2026-03-01T11:00:00.000Z', checks: 0, healthy: 0 },
      ],
      now,
    )
    expect(days.map(({ day, share }) => [day.slice(5), share])).toEqual([
      ['02-24', null],
      ['02-25', null],
      ['02-26', null],
      ['02-27', null],
      ['02-28', 0.5],
      ['03-01', null],
      ['03-02', 0.25],
    ])
  })
})
