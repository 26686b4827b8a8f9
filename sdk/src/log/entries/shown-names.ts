/** A name as people see it. */
export interface ShownName {
  /** The fields of the entry that it consists of. */
  fields: readonly ['company_name' | 'identifier' | 'display_name', ...'version'[]]
  /** The name. */
  text: string
}

/** Pages show a model with its version, so both together can be a name. */
const named: readonly ShownName['fields'][] = [
  ['company_name'],
  ['identifier'],
  ['display_name'],
  ['identifier', 'version'],
  ['display_name', 'version'],
]

/** The names in the texts of an entry, by field. Those of models are there alone and with the version. */
export const shownNames = (texts: Readonly<Record<string, string>>): ShownName[] =>
  named.flatMap((fields) => {
    const parts = fields.map((field) => texts[field])
    return parts.includes(undefined) ? [] : [{ fields, text: parts.join(' ') }]
  })
