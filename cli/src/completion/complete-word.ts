/** The first word when a shell asks for completions. Only the scripts of `countersign completion` use it. */
export const completeWord = '__complete'
