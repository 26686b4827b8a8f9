import { z } from 'zod'
import { type Endpoints, endpoint, ifMatchHeader } from './endpoint.ts'
import {
  alwaysChecked,
  Email,
  IncidentId,
  line,
  ModelId,
  paging,
  requiredLine,
  requiredText,
  Time,
  textOrNull,
  WebUrl,
} from './fields.ts'
import { limits } from './limits.ts'
import { routes } from './routes.ts'

/** What a report can be about. */
export const incidentCategories = [
  'harmful_content',
  'technical_error',
  'impersonation',
  'privacy_violation',
  'other',
] as const
/** How serious an incident can be. */
export const incidentSeverities = ['low', 'medium', 'high', 'critical'] as const
/** The states of an incident. */
export const incidentStatuses = ['reported', 'investigating', 'resolved', 'dismissed'] as const
/** How serious an incident is. */
export const IncidentSeverity = z.enum(incidentSeverities)
export type IncidentSeverity = z.infer<typeof IncidentSeverity>
/** State of an incident. */
export const IncidentStatus = z.enum(incidentStatuses)
export type IncidentStatus = z.infer<typeof IncidentStatus>
/** Filters of the list. `open` means without a final answer. */
export const incidentFilters = [...incidentStatuses, 'open'] as const
/** A filter of the list of incidents. */
export type IncidentFilter = (typeof incidentFilters)[number]

/** Orders of the list. A minus reverses: newest, most severe or last status first. */
export const incidentSorts = ['-created', 'created', '-severity', 'severity', 'status', '-status'] as const
/** An order of the list of incidents. */
export type IncidentSort = (typeof incidentSorts)[number]

const emptyIsAbsent = <T extends z.ZodType>(schema: T) =>
  z.union([z.literal('').transform(() => undefined), schema]).optional()

/** A report. It must name a model or a link. */
export const NewIncident = z
  .strictObject({
    model_id: ModelId.optional(),
    /** A link, its code or its token. It makes the report a verified one. */
    verification_token: emptyIsAbsent(z.string().max(4_096)),
    category: z.enum(incidentCategories),
    severity: IncidentSeverity.default('medium'),
    title: requiredLine(1, limits.incidentTitle, 'Title is required'),
    description: requiredText(1, limits.incidentText, 'Description is required'),
    reference_url: emptyIsAbsent(WebUrl),
    screenshot_url: emptyIsAbsent(WebUrl),
    /** Used to email the provider's answer, and shown to the provider only. */
    reporter_email: emptyIsAbsent(Email),
    reporter_fingerprint: line(200).optional(),
  })
  .refine(({ model_id, verification_token }) => model_id !== undefined || verification_token !== undefined, {
    ...alwaysChecked,
    path: ['model_id'],
    message: 'Name a model, or the link of a verification',
  })
export type NewIncident = z.output<typeof NewIncident>

/** A report and what its provider answered. */
export const Incident = z.strictObject({
  id: IncidentId,
  model_id: ModelId,
  model_name: z.string(),
  category: z.enum(incidentCategories),
  severity: IncidentSeverity,
  status: IncidentStatus,
  title: z.string(),
  description: z.string(),
  reference_url: textOrNull,
  screenshot_url: textOrNull,
  /** The report came with a link for that model. */
  is_verified_report: z.boolean(),
  /** Whether it counts in the numbers that visitors see. */
  counts_publicly: z.boolean(),
  reporter_email: textOrNull,
  reporter_fingerprint: textOrNull,
  provider_response: textOrNull,
  created_at: Time,
  resolved_at: Time.nullable(),
})
export type Incident = z.infer<typeof Incident>

/** A provider's answer. `resolved` and `dismissed` are final. */
export const IncidentResponse = z
  .strictObject({
    status: z.enum(['investigating', 'resolved', 'dismissed']),
    response: requiredText(0, limits.incidentText, 'The response must be text').optional(),
  })
  .refine(({ status, response }) => status !== 'resolved' || (response ?? '') !== '', {
    ...alwaysChecked,
    path: ['response'],
    message: 'Resolving requires a response message',
  })
export type IncidentResponse = z.output<typeof IncidentResponse>

const params = z.strictObject({ id: IncidentId })

/** Endpoints of incidents. */
export const incidents = {
  report: endpoint(routes.incidents.report, {
    summary: 'Report a model; a report with a verification link is verified and counts more',
    caller: 'public',
    body: NewIncident,
    response: z.strictObject({
      status: IncidentStatus,
      incident_id: IncidentId,
      is_verified_report: z.boolean(),
      message: z.string(),
    }),
    status: 201,
    errors: [
      'not_found',
      'already_reported',
      'link_malformed',
      'link_mistyped',
      'link_forged',
      'link_unknown',
      'link_foreign',
      'could_not_check',
    ],
  }),
  list: endpoint(routes.incidents.list, {
    summary: 'Incidents of the caller’s models, newest first unless `sort` says otherwise',
    caller: 'provider',
    query: z.strictObject({
      ...paging,
      status: z.enum(incidentFilters).optional(),
      severity: IncidentSeverity.optional(),
      sort: z.enum(incidentSorts).default('-created'),
    }),
    response: z.strictObject({
      incidents: z.array(Incident),
      next_cursor: textOrNull,
      /** All matches on all pages. Exact up to 10,000. */
      total: z.number().int(),
      total_is_lower_bound: z.boolean(),
    }),
  }),
  get: endpoint(routes.incidents.get, {
    summary: 'One incident of the caller’s models',
    caller: 'provider',
    params,
    response: Incident,
    editTag: 'incident',
  }),
  respond: endpoint(routes.incidents.respond, {
    summary: 'Answer an incident; the reporter is emailed when it is resolved',
    caller: 'provider',
    scope: 'incidents',
    params,
    body: IncidentResponse,
    response: Incident,
    editTag: 'incident',
    headers: ifMatchHeader,
    errors: ['incident_closed'],
  }),
} satisfies Endpoints<typeof routes.incidents>
