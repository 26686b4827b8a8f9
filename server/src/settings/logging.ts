import { oneOf, optional, setting } from './setting.ts'

/** Logs, traces and checks. */
export const logging = {
  LOG_LEVEL: setting({
    expected: 'fatal, error, warn, info, debug or silent',
    means: 'How much to log',
    default: 'info',
    parse: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'silent'),
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting({
    expected: 'an http or https address without a password',
    means:
      'Base address of an OpenTelemetry collector (OTLP over HTTP). It gets a span for each request, job and transaction, without addresses or identities. Unset: no traces',
    default: '',
    parse: optional((text) => {
      if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return undefined
      const url = new URL(text)
      return url.username === '' && url.search === '' ? url.href.replace(/\/+$/, '') : undefined
    }),
  }),
  CHECK_ANSWERS: setting({
    expected: 'true or false',
    means: 'Check every response against its schema before it is sent: for tests and development',
    default: 'false',
    parse: (text) => ({ true: true, false: false })[text],
  }),
} as const
