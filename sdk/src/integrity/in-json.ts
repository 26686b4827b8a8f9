/** Text from a bundle as JSON in ASCII, which the registry finds in our words and withholds from visitors if need be. */
export const inJson = (text: string) =>
  JSON.stringify(text.slice(0, 100)).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
