/** The first word when a shell asks what may be typed; for the scripts of `countersign completion` alone. */
export const completeWord = '__complete'
