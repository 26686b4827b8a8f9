/**
 * Changes or removes one value of the current query, so that two changes at the same time both take effect. Another filter or
 * order begins with its first page.
 */
export const changeQuery = (name: string, value: string | null): URLSearchParams => {
  const after = new URLSearchParams(location.search)
  if (value === null || value === '') after.delete(name)
  else after.set(name, value)
  if (name !== 'page') after.delete('page')
  return after
}

/** The address of a dialog on this page. */
export const addressWith = (params: URLSearchParams, name: string, value: string): string => {
  const after = new URLSearchParams(params)
  after.set(name, value)
  return `?${after}`
}
