/** A field that someone else changed while it was being edited here. */
export interface RacedField {
  name: string
  before: unknown
  theirs: unknown
  /** What was typed here; undefined if the field was not changed here. */
  yours: unknown
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** The fields that changed elsewhere since `before`; those changed here differently come first. */
export const racedFields = (before: object, theirs: object, yours: object): RacedField[] => {
  const of = (record: object, name: string) => (record as Record<string, unknown>)[name]
  return Object.keys(before)
    .filter((name) => !isSame(of(before, name), of(theirs, name)))
    .map((name) => ({
      name,
      before: of(before, name),
      theirs: of(theirs, name),
      yours: isSame(of(before, name), of(yours, name)) ? undefined : of(yours, name),
    }))
    .toSorted((one, other) => Number(other.yours !== undefined) - Number(one.yours !== undefined))
}

/** The form with the other person's changes, and what was typed here in the fields they did not change. */
export const mergeTheirs = <Values extends object>(before: Values, theirs: Values, yours: Values): Values => {
  const raced = racedFields(before, theirs, yours).map(({ name, theirs: value }) => [name, value])
  return { ...yours, ...Object.fromEntries(raced) }
}
