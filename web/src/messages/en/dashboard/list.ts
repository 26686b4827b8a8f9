import { formatNumber } from '#messages/site.ts'

/** Words of every list of the dashboard. */
export const listWords = {
  keys: {
    move: 'move',
    choose: 'select',
    open: 'open',
    help: 'all keys',
    list: {
      title: 'Keyboard shortcuts',
      about: 'Keys for rows work while a row has the focus: press Tab until it has.',
      rows: [
        { keys: ['↑', '↓'], does: 'Go to the row above or below' },
        { keys: ['Home', 'End'], does: 'Go to the first or the last row' },
        { keys: ['Space'], does: 'Select the row, where rows can be selected' },
        { keys: ['Enter'], does: 'Open the row' },
        { keys: ['Tab'], does: 'Go to the menu of the row' },
        { keys: ['/'], does: 'Search the registry' },
        { keys: ['Esc'], does: 'Close a menu or a dialog' },
        { keys: ['?'], does: 'Show these keys' },
      ],
    },
    /** Read out with the list. */
    hint: (canChoose: boolean) =>
      `Arrow up and down move between rows${canChoose ? ', Space selects a row' : ''}, Enter opens it, and Tab goes to its menu. Question mark lists all keys.`,
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
