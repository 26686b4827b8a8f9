import { expect, it } from 'vitest'
import { weekLines } from './rules.ts'

it.each([
  {
    name: 'nothing',
    week: { links: 0, opened: 0, incidents: 0, open: 0 },
    lines: [
      '- 0 verification links were made for your models, 0 were opened',
      '- 0 reports about your models arrived',
      'No report is waiting for your answer.',
    ],
  },
  {
    name: 'one of each',
    week: { links: 1, opened: 1, incidents: 1, open: 1 },
    lines: [
      '- 1 verification link was made for your models, 1 was opened',
      '- 1 report about your models arrived',
      '1 report is waiting for your answer.',
    ],
  },
  {
    name: 'more links than are counted',
    week: { links: 10_001, opened: 1_200, incidents: 2, open: 3 },
    lines: [
      '- more than 10,000 verification links were made for your models; of the newest 10,000, 1,200 were opened',
      '- 2 reports about your models arrived',
      '3 reports are waiting for your answer.',
    ],
  },
])('shows a week with $name in numbers', ({ week, lines }) => {
  expect(weekLines(week)).toEqual(['In the last seven days:', ...lines])
})
