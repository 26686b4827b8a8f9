/** Such as `incidents-reported-high-2026-11-21.csv`. */
export const fileNameOf = (list: string, filters: readonly string[], now: number, ending: string): string =>
  `${[list, ...filters.map((filter) => filter.replaceAll(/[^\w.]+/g, '-')), new Date(now).toISOString().slice(0, 10)].join('-')}.${ending}`
