import { endpointDetails } from 'virtual:endpoint-details'
import { Link } from 'react-router-dom'
import { page } from '#messages/docs/page.ts'
import { InlineText } from '../blocks/inline-text.tsx'
import { FieldList } from './field-list.tsx'

const words = page.endpoint

/** The endpoint's callers, parameters, response and errors. */
export const EndpointDetails = ({ name }: { name: string }) => {
  const details = endpointDetails[name]
  if (!details) throw new Error(`The contract has no ${name}`)
  const { caller, scope, status, input, isUpload, isIdempotent, maxBodyBytes, output, errors, limits } = details
  const facts = [
    words.callers[caller],
    scope === undefined ? '' : words.scope(scope),
    isIdempotent ? words.idempotent : '',
    isUpload ? words.upload : '',
    maxBodyBytes === undefined ? '' : words.maxBody(maxBodyBytes),
    ...limits.map(({ points, seconds, of }) => words.limit(points, seconds, of)),
  ].filter((fact) => fact !== '')
  return (
    <>
      <ul className="text-muted text-small">
        <li>
          <code className="font-mono">{`client.${name}`}</code>
        </li>
        {facts.map((fact) => (
          <li key={fact}>
            <InlineText text={fact} />
          </li>
        ))}
      </ul>
      <h4 className="mt-4 mb-1 font-semibold text-small">{words.request}</h4>
      {input.length > 0 ? <FieldList fields={input} /> : <p className="text-muted text-small">{words.noRequest}</p>}
      <h4 className="mt-4 mb-1 font-semibold text-small">{words.answer(status)}</h4>
      {output.length > 0 ? <FieldList fields={output} /> : <p className="text-muted text-small">{words.emptyAnswer}</p>}
      <h4 className="mt-4 mb-1 font-semibold text-small">{words.refusals}</h4>
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-small">
        {errors.map((code) => (
          <li key={code}>
            <Link to="#error-codes" preventScrollReset className="link font-mono">
              {code}
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
