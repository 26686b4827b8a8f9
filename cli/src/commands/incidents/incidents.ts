import {
  type Incident,
  type IncidentFilter,
  type IncidentSort,
  incidentCategories,
  incidentFilters,
  incidentSeverities,
  incidentSorts,
  NewIncident,
} from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import type { z } from 'zod'
import { addDryRun, type Call, type Command, type Declare, example } from '../../args/command.ts'
import { readCount } from '../../args/read-count.ts'
import { checkBy, required } from '../../args/required.ts'
import type { Context } from '../../context.ts'
import { usage } from '../../failure.ts'
import { collect } from '../../registry/collect.ts'
import { readWithTag } from '../../registry/edit-tag.ts'
import { isModelId } from '../../registry/own-model.ts'
import { printRequest } from '../../registry/request.ts'
import { facts, printable, table } from '../../render/output.ts'
import { quoteBlock, shownAddress } from '../../render/quotation.ts'
import { shownTime } from '../../render/shown-time.ts'
import { checkIncidentId, exampleId } from './incident-id.ts'
import { declareRespond } from './incident-respond.ts'
import { declareTriage } from './incident-triage.ts'
import { reporterOf } from './reporter.ts'

type Report = z.input<typeof NewIncident>

export const declare: Declare = (incidents) => {
  example(
    incidents,
    'incidents list --status reported',
    `incidents respond ${exampleId} --status investigating`,
    'incidents triage',
  )
  declareReport(incidents)
  declareList(incidents)
  declareShow(incidents)
  declareRespond(incidents)
  declareTriage(incidents)
}

/** ---- for everyone ---- */

const declareReport = (incidents: Command) => {
  const report = addDryRun(
    incidents
      .command('report')
      .summary('Report a model; needs no key')
      .description(
        'Reports a model to its provider. With a link that the model gave, even an expired one, the report counts publicly at once; without a link, once its provider starts investigating.',
      )
      .option('--link <link>', 'verification link for the model, its code or its token', 'text')
      .option('--model <id>', 'model ID, mdl_…; instead of --link or with it', 'model-id')
      .option('--category <category>', 'what the report is about', { choices: incidentCategories })
      .option('--severity <severity>', 'how severe it is; default: medium', { choices: incidentSeverities })
      .option('--title <text>', 'a short summary', 'text')
      .option('--description <text>', 'what happened', 'text')
      .option('--reference-url <url>', 'page with more information', 'url')
      .option('--screenshot-url <url>', 'image that shows it', 'url')
      .option('--email <address>', 'shown to the provider; you are emailed when the report is resolved', 'email'),
  ).action(reportModel)
  example(
    report,
    'incidents report --link https://registry.example/v/W904-2CKW-GDNC-X7S1 --category impersonation --title "Says it is a bank" --description "It asked for my password."',
  )
}

const reportModel = async (context: Context, { flags }: Call) => {
  const [link, model] = [flags.text('link'), flags.text('model')]
  if (link === undefined && model === undefined)
    throw usage('Give --link LINK, or --model ID', 'See: countersign help incidents report')
  // Named separately: `description` in a project file describes the model.
  const check = checkBy(NewIncident)
  const answers = await required(
    context,
    [
      ['category', 'incident_category', 'Category', incidentCategories],
      ['title', 'incident_title', 'Title'],
      ['description', 'incident_description', 'What happened'],
    ],
    { check: (name, value) => check(name.replace('incident_', ''), value) },
  )
  const body: Report = {
    ...(model !== undefined && { model_id: checkModel(model) }),
    verification_token: link,
    category: answers.incident_category as Report['category'],
    severity: flags.text('severity') as Report['severity'],
    title: answers.incident_title,
    description: answers.incident_description,
    reference_url: flags.text('referenceUrl'),
    screenshot_url: flags.text('screenshotUrl'),
    reporter_email: flags.text('email'),
  }
  if (context.isDryRun) return printRequest(context, 'incidents', 'report', {}, body)
  const answer = await (await context.connect({ key: 'none' })).incidents.report(body)
  context.out.print({
    value: answer,
    ids: [answer.incident_id],
    text: (paint) =>
      `${printable(answer.message)}\n${facts(
        [
          ['incident', answer.incident_id],
          ['counts', answer.is_verified_report ? 'at once, with its link' : 'once its provider starts investigating'],
        ],
        paint,
      )}`,
  })
}

const checkModel = (named: string) => {
  if (isModelId(named)) return named
  throw usage('--model requires a model ID, mdl_ and 26 characters', 'It is in the address of the model’s page')
}

/* ---- for the provider ---- */

const declareList = (incidents: Command) => {
  const list = incidents
    .command('list')
    .summary('List reports about your models')
    .description('Lists the reports about your models, newest first unless --sort says otherwise.')
    .option('--status <status>', 'only reports with this status; open: not resolved or dismissed', {
      choices: incidentFilters,
    })
    .option('--severity <severity>', 'only reports of this severity', { choices: incidentSeverities })
    .option('--sort <order>', 'order of the list; - reverses it; default: -created', { choices: incidentSorts })
    .option('--limit <count>', 'show at most this many; default: all', 'number')
    .action(async ({ connect, out }, { flags }) => {
      const most = readCount(flags.text('limit'), 'incidents list', Number.POSITIVE_INFINITY)
      const status = flags.text('status') as IncidentFilter | undefined
      const severity = flags.text('severity') as Incident['severity'] | undefined
      const sort = flags.text('sort') as IncidentSort | undefined
      const client = await connect()
      const { items: found, last } = await collect(
        (page) => client.incidents.list({ ...page, status, severity, sort }),
        ({ incidents: items }) => items,
        most,
      )
      out.print({
        value: { ...last, incidents: found },
        ids: found.map(({ id }) => id),
        text: (paint) => (found.length === 0 ? 'No incidents reported' : table(heads, found.map(rowOf), paint)),
      })
    })
  example(list, 'incidents list --status reported', 'incidents list --status open --sort -severity')
}

const heads = ['ID', 'STATUS', 'SEVERITY', 'CATEGORY', 'LINK', 'MODEL', 'REPORTED', 'TITLE']

const rowOf = ({ id, status, severity, category, is_verified_report, model_name, created_at, title }: Incident) => [
  id,
  status,
  severity,
  category,
  is_verified_report ? 'yes' : 'no',
  quote(model_name),
  shownTime(created_at),
  quote(title),
]

const declareShow = (incidents: Command) => {
  const show = incidents
    .command('show')
    .summary('Show one report')
    .description('Shows one report about your models in full.')
    .argument('<id>', 'inc_…', 'incident')
    .action(async (context, { args: [named = ''] }) => {
      const id = checkIncidentId(named)
      const { record: found, etag } = await readWithTag((await context.connect()).incidents.get(id))
      context.out.print({
        value: { ...found, ...(etag !== null && { etag }) },
        ids: [found.id],
        text: (paint, columns = Number.POSITIVE_INFINITY) =>
          [
            facts([...factsOf(found), ['ETag', etag]], paint),
            quoteBlock(found.description, columns),
            ...(found.provider_response === null
              ? []
              : [`${paint.dim('Your answer')}\n${quoteBlock(found.provider_response, columns)}`]),
          ].join('\n\n'),
      })
    })
  example(show, `incidents show ${exampleId}`)
}

const factsOf = (incident: Incident) =>
  [
    ['title', quote(incident.title)],
    ['incident', incident.id],
    ['model', `${quote(incident.model_name)} (${incident.model_id})`],
    ['status', incident.status],
    ['category', `${incident.category}, ${incident.severity}`],
    ['link', incident.is_verified_report ? 'reported with a link' : 'reported without a link'],
    ['counts', incident.counts_publicly ? 'yes; visitors see it in the statistics' : 'no'],
    ['reporter', reporterOf(incident)],
    ['reported', shownTime(incident.created_at)],
    ['resolved', incident.resolved_at === null ? null : shownTime(incident.resolved_at)],
    ['reference', incident.reference_url && shownAddress(incident.reference_url)],
    ['screenshot', incident.screenshot_url && shownAddress(incident.screenshot_url)],
  ] as const
