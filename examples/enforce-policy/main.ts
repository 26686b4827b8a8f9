// Prints an answer only where the policy allows it. Ends with 1 where it does not, and says why. Set COUNTERSIGN_API_URL, ANSWER,
// LINK (empty where none came) and CHALLENGE.
import { createClient } from '@countersign/sdk'
import { createGate } from './gate.ts'

const lacks = ['COUNTERSIGN_API_URL', 'ANSWER', 'LINK', 'CHALLENGE'].filter((name) => process.env[name] === undefined)
if (lacks.length > 0) {
  console.error(`Missing: ${lacks.join(', ')}`)
  process.exit(2)
}
const { COUNTERSIGN_API_URL: baseURL, ANSWER: answer = '', LINK: link = '', CHALLENGE: challenge = '' } = process.env

const refused = await createGate(createClient({ baseURL }))({ answer, link }, challenge)
if (refused.length === 0) console.log(answer)
for (const reason of refused) console.error(reason)
process.exitCode = refused.length === 0 ? 0 : 1
