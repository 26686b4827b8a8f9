/** The level of an account. Its `unverified` would be taken for a statement about the domain. */
export const shownLevel = (level: string): string => (level === 'unverified' ? 'no level yet' : level)
