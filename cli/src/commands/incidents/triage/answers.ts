import { IncidentResponse } from '@countersign/sdk/contract'
import { usage } from '../../../failure.ts'

/** Statuses that an answer may set. */
export type Answer = IncidentResponse['status']

export interface Template {
  name: string
  status: Answer
  response: string
}

const ready: readonly Template[] = [
  { status: 'investigating', name: 'looking into it', response: 'Thank you for your report. We are looking into it.' },
  {
    status: 'investigating',
    name: 'more information needed',
    response:
      'Thank you for your report. To find the cause we need more information: please report it again with the link that the chat gave you.',
  },
  { status: 'resolved', name: 'fixed', response: 'Thank you for your report. We found the cause and fixed it.' },
  {
    status: 'resolved',
    name: 'withdrawn',
    response: 'Thank you for your report. We have withdrawn this version of the model.',
  },
  {
    status: 'dismissed',
    name: 'not from our model',
    response: 'We looked into this and found that it did not come from our model.',
  },
  { status: 'dismissed', name: 'cannot reproduce', response: 'We could not reproduce what was reported.' },
  { status: 'dismissed', name: 'as intended', response: 'We looked into this: the model is meant to answer this way.' },
]

/** One for each digit key. */
const maxTemplates = 9

/** The built-in answer templates, or those from a file instead: a list of `{name, status, response}`. */
export const readTemplates = (file: { name: string; bytes: Uint8Array } | undefined): readonly Template[] =>
  file === undefined ? ready : checkTemplates(parse(Buffer.from(file.bytes).toString('utf8')), file.name)

export const templatesFor = (templates: readonly Template[], status: Answer) =>
  templates.filter((template) => template.status === status).slice(0, maxTemplates)

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const checkTemplates = (given: unknown, file: string): readonly Template[] => {
  if (!Array.isArray(given))
    throw usage(`${file} is not a list of answers`, 'Write [{"name": "…", "status": "resolved", "response": "…"}]')
  return given.map((each: unknown, index) => {
    const { name, ...answer } = typeof each === 'object' && each !== null ? (each as Record<string, unknown>) : {}
    const { data } = IncidentResponse.safeParse(answer)
    if (typeof name !== 'string' || name.trim() === '' || data?.response === undefined || data.response === '')
      throw usage(`${file}: answer ${index + 1} must have name, status and response, and nothing else`)
    return { name, status: data.status, response: data.response }
  })
}
