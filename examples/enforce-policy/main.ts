// Prints an answer only where the policy allows it. Ends with 1 where it does not, and says why.
import { createClient } from '@countersign/sdk'
import { createGate } from './gate.ts'

const { COUNTERSIGN_API_URL: baseURL, ANSWER: answer = '', LINK: link = '', CHALLENGE: challenge = '' } = process.env

const refused = await createGate(createClient({ baseURL }))({ answer, link }, challenge)
if (refused.length === 0) console.log(answer)
for (const reason of refused) console.error(reason)
process.exitCode = refused.length === 0 ? 0 : 1
