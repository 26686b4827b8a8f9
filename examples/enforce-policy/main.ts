// Prints an answer if the policy allows it. Otherwise prints the reasons and exits 1. Set COUNTERSIGN_API_URL, ANSWER,
// LINK (empty if none came) and CHALLENGE.
import { createClient } from '@countersign/sdk'
import { createGate } from './gate.ts'

const missing = ['COUNTERSIGN_API_URL', 'ANSWER', 'LINK', 'CHALLENGE'].filter((name) => process.env[name] === undefined)
if (missing.length > 0) {
  console.error(`Missing: ${missing.join(', ')}`)
  process.exit(2)
}
const { COUNTERSIGN_API_URL: baseURL, ANSWER: answer = '', LINK: link = '', CHALLENGE: challenge = '' } = process.env

const reasons = await createGate(createClient({ baseURL }))({ answer, link }, challenge)
if (reasons.length === 0) console.log(answer)
for (const reason of reasons) console.error(reason)
process.exitCode = reasons.length === 0 ? 0 : 1
