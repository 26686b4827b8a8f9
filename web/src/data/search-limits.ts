// Copied from the contract, which the first page would otherwise load in full; a test compares them.
export const minSearchText = 2
export const maxSearchText = 200
export const searchResults = 20
