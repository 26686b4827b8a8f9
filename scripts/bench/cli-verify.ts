import { measure, type Report, ratioOfRounds } from './goal.ts'
import { countersign, describeTimes, emptyNode, runProgram, timePrograms } from './programs.ts'
import { issueTokens } from './tokens.ts'
import type { World } from './world.ts'

const rounds = 9

/** Measures checking a token on the command line with saved keys. */
export const measureCliVerify = async (world: World): Promise<Report> => {
  const { jwks, tokens } = issueTokens(world.issuer, 1)
  const file = world.write('jwks.json', JSON.stringify(jwks))
  const programs = [
    emptyNode,
    {
      name: 'countersign verify --offline',
      command: countersign('verify', tokens[0] ?? '', '--offline', '--jwks', file, '--issuer', world.issuer),
    },
  ]
  for (const program of programs) runProgram(world, program)
  const times = timePrograms(world, programs, rounds)
  return {
    measured: [
      measure(
        { goal: 'G14', name: 'verify --offline / node -e 0', floor: 2, target: 1.5 },
        ratioOfRounds(times[1] ?? [], times[0] ?? []),
      ),
    ],
    details: describeTimes(programs, times),
  }
}
