export const presenceMs = 5 * 60_000
export const presenceCookie = 'presence'
