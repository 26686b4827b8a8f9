/** A form whose record someone else saved in the meantime. */
export const changedElsewhere = {
  heading: 'Someone else changed this in the meantime. Nothing was saved.',
  text: 'These fields changed since you opened the form:',
  nothing: 'The fields are the same again as when you opened the form.',
  theirs: (value: string) => `Now: ${value}`,
  yours: (value: string) => `Yours: ${value}`,
  empty: 'not set',
  on: 'on',
  off: 'off',
  apply: 'Save mine',
  take: 'Take theirs',
} as const
