/** The longest entry. */
export const maxEntryBytes = 1_024
