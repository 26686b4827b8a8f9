const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `21 Nov 2026, 09:05 UTC`, as the pages write it. */
export const shownTime = (at: string | number): string => {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return String(at)
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}, ${date.toISOString().slice(11, 16)} UTC`
}
