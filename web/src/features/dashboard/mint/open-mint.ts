/** The address parameter that opens the dialog: `new`, or the ID of a model. */
export const mintParameter = 'mint'
