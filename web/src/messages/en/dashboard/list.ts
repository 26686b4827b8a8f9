import { formatNumber } from '#messages/site.ts'

/** Words of every list of the dashboard. */
export const listWords = {
  keys: {
    move: 'move',
    choose: 'select',
    open: 'open',
    /** Read out with the list. */
    hint: (canChoose: boolean) =>
      `Arrow up and down move between rows${canChoose ? ', Space selects a row' : ''}, Enter opens it, and Tab goes to its menu.`,
  },
  menuOf: (name: string) => `Actions for ${name}`,
  actions: 'Actions',
  choose: (name: string) => `Select ${name}`,
  sortBy: 'Sort by',
  sorted: (column: string, isDescending: boolean) => `${column}, ${isDescending ? 'descending' : 'ascending'}`,
  saved: 'Saved filters',
  clearSelection: 'Clear selection',
  range: (from: number, to: number, total: string) => `${formatNumber(from)}–${formatNumber(to)} of ${total}`,
  rangeOpen: (from: number, to: number) => `${formatNumber(from)}–${formatNumber(to)}`,
  pages: 'Pages',
  previous: 'Previous',
  next: 'Next',
  csv: {
    button: 'Export as CSV',
    linesButton: 'As JSON lines',
    working: (done: number, total: string) => `Exporting ${formatNumber(done)} of ${total}…`,
    workingOpen: (done: number) => `Exporting… ${formatNumber(done)} so far`,
    cancel: 'Stop the export',
    done: (count: number) => (count === 1 ? '1 row exported' : `${formatNumber(count)} rows exported`),
    failed: 'The export failed. Nothing was saved.',
  },
} as const
