import { page } from '#messages/docs/page.ts'
import { InlineText } from '../blocks/inline-text.tsx'
import type { Field } from './reference.ts'

const words = page.field

/** A field's constraints as short sentences. */
const detailsOf = (field: Field): string[] => {
  const kind = field.isList
    ? 'list'
    : field.types.some((type) => type === 'integer' || type === 'number')
      ? 'number'
      : 'text'
  const hasRange = field.min !== undefined || field.max !== undefined
  return [
    field.note ?? '',
    field.values ? words.values(field.values) : '',
    hasRange && !field.values ? words.range(kind, field.min, field.max) : '',
    field.pattern === undefined ? '' : words.pattern(field.pattern),
    field.default === undefined ? '' : words.default(field.default),
  ].filter((detail) => detail !== '')
}

const flagsOf = (field: Field): string[] =>
  [
    field.place === undefined ? '' : words.places[field.place],
    words.types(field.types, field.isList === true),
    field.isRequired ? words.required : field.isNeededSomehow ? words.neededSomehow : '',
    field.isNullable ? words.nullable : '',
    field.mayBeEmpty ? words.mayBeEmpty : '',
  ].filter((flag) => flag !== '')

export const FieldList = ({ fields }: { fields: readonly Field[] }) => (
  <dl className="border-line border-t text-small">
    {fields.map((field) => (
      <div
        key={`${field.place} ${field.name}`}
        className="grid gap-x-4 border-line border-b py-2 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]"
      >
        <dt className="font-mono">{field.name}</dt>
        <dd>
          {flagsOf(field).join(', ')}
          {detailsOf(field).map((detail) => (
            <span key={detail} className="block text-muted">
              <InlineText text={detail} />
            </span>
          ))}
        </dd>
      </div>
    ))}
  </dl>
)
