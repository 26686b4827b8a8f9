import { errors, exitCodes } from '@countersign/sdk/contract'
import { generatedNotice, markdownTable } from './markdown.ts'

/** docs/errors.md: every error of the API, and every exit code of the command line. */
export const errorReference = () => `${generatedNotice}

# Errors

An error is a problem document (RFC 9457, \`application/problem+json\`). Its \`code\` is one of these and never changes. \`detail\`
is for people. \`request_id\` identifies the request in the registry's log.

${markdownTable(
  ['code', 'status', 'title', 'exit code', 'retry?'],
  Object.entries(errors).map(([code, row]) => [
    `\`${code}\``,
    String(row.status),
    row.title,
    String(row.exit),
    'retryable' in row && row.retryable ? 'yes' : '',
  ]),
)}

## Exit codes of \`countersign\`

${markdownTable(
  ['exit code', 'meaning'],
  Object.entries(exitCodes).map(([code, meaning]) => [code, meaning]),
)}

If 0 means that a check passed, as with \`countersign verify\`, it means nothing else: \`--help\` then exits 2, and
\`countersign help COMMAND\` exits 0. \`countersign commands --json\` has \`exit_is_verdict\` for each command.
`
