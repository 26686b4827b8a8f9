import { expect, it } from 'vitest'
import { askedBy } from './asked-by.ts'

const ada = 'ada@acme.example'

it.each([
  { actor: 'key_1', actor_name: 'ci', decided_by: null, says: 'API key “ci” (key_1)' },
  { actor: 'key_1', actor_name: ada, decided_by: null, says: 'API key “ada@acme.example” (key_1)' },
  { actor: 'key_1', actor_name: null, decided_by: ada, says: 'API key key_1' },
  { actor: 'ses_1', actor_name: 'laptop” of Ada', decided_by: ada, says: 'device “laptop of Ada” (ses_1)' },
  { actor: 'ses_1', actor_name: null, decided_by: null, says: 'device ses_1' },
  { actor: 'ses_1', actor_name: null, decided_by: ada, says: ada },
  { actor: 'pub_1 run 7, attempt 1', actor_name: null, decided_by: ada, says: 'CI job pub_1 run 7, attempt 1' },
])('$actor, called $actor_name, asked: $says', ({ says, ...change }) => {
  expect(askedBy(change)).toBe(says)
})
