// Repeated from the contract, which the first page would otherwise load whole; a test holds them against it.
export const minSearchText = 2
export const maxSearchText = 200
export const searchResults = 20
