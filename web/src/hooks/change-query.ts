/** The query of the address as it is now, with one value changed or taken away: two changes of one moment both count. */
export const changeQuery = (name: string, value: string | null): URLSearchParams => {
  const after = new URLSearchParams(location.search)
  if (value === null || value === '') after.delete(name)
  else after.set(name, value)
  return after
}
