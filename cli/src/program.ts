import manifest from '../package.json' with { type: 'json' }
import { type Command, type CommandSpec, createCommand, type Declare, example } from './args/command.ts'

interface Group {
  name: string
  summary: string
  load(): Promise<{ declare: Declare }>
}

/**
 * The first level of the tree, as its help lists it. The commands of a group load only when they are called, which keeps every start
 * fast.
 */
const sections: Readonly<Record<string, readonly Group[]>> = {
  'Links:': [
    {
      name: 'verify',
      summary: 'Check a link, a code or a token',
      load: () => import('./commands/verify/verify.ts'),
    },
    {
      name: 'tokens',
      summary: 'Mint verification links and bind answers to them',
      load: () => import('./commands/tokens/tokens.ts'),
    },
    {
      name: 'open',
      summary: 'Open a link, a model, a provider or a search in the browser',
      load: () => import('./commands/general/open.ts'),
    },
    {
      name: 'mcp',
      summary: 'Give an AI its links over MCP',
      load: () => import('./commands/mcp/mcp.ts'),
    },
  ],
  'Your company:': [
    {
      name: 'providers',
      summary: 'Register and prove who you are',
      load: () => import('./commands/providers/providers.ts'),
    },
    {
      name: 'domains',
      summary: 'Prove domains and choose the primary one',
      load: () => import('./commands/providers/domains.ts'),
    },
    {
      name: 'members',
      summary: 'Invite colleagues and give them roles',
      load: () => import('./commands/members/members.ts'),
    },
    {
      name: 'publishers',
      summary: 'Trust CI jobs to publish without a key',
      load: () => import('./commands/providers/publishers.ts'),
    },
    {
      name: 'keys',
      summary: 'Create, list and revoke API keys',
      load: () => import('./commands/keys/keys.ts'),
    },
    {
      name: 'changes',
      summary: 'See and decide on changes that wait for approval',
      load: () => import('./commands/changes/changes.ts'),
    },
    {
      name: 'activity',
      summary: 'See and undo what was done without a person',
      load: () => import('./commands/activity/activity.ts'),
    },
    {
      name: 'incidents',
      summary: 'Report models and answer reports about yours',
      load: () => import('./commands/incidents/incidents.ts'),
    },
    {
      name: 'status',
      summary: 'List what needs your attention',
      load: () => import('./commands/general/status.ts'),
    },
    {
      name: 'usage',
      summary: 'Show how much of your quotas is used',
      load: () => import('./commands/general/usage.ts'),
    },
    {
      name: 'events',
      summary: 'List what happened in your account',
      load: () => import('./commands/general/events.ts'),
    },
  ],
  'Models and deployments:': [
    {
      name: 'models',
      summary: 'Register models and their versions',
      load: () => import('./commands/models/models.ts'),
    },
    {
      name: 'bundles',
      summary: 'Sign models and check who signed them',
      load: () => import('./commands/bundles/bundles.ts'),
    },
    {
      name: 'signers',
      summary: 'Declare who may sign your models',
      load: () => import('./commands/bundles/signers.ts'),
    },
    {
      name: 'verify-bundle',
      summary: 'Check a signed bundle, as conformance suites do',
      load: async () => ({ declare: (await import('./commands/bundles/bundle-verify.ts')).declareVerifyBundle }),
    },
    {
      name: 'deployments',
      summary: 'Register deployments and what they may speak for',
      load: () => import('./commands/deployments/deployments.ts'),
    },
    {
      name: 'fingerprint',
      summary: 'Compute the SPKI fingerprint of a certificate or key',
      load: () => import('./commands/deployments/fingerprint.ts'),
    },
  ],
  'The registry:': [
    {
      name: 'search',
      summary: 'Find providers and models',
      load: () => import('./commands/general/search.ts'),
    },
    {
      name: 'log',
      summary: 'Check, witness and monitor the transparency log',
      load: () => import('./commands/log/log.ts'),
    },
    {
      name: 'api',
      summary: 'Send any request to the registry',
      load: () => import('./commands/api/api.ts'),
    },
  ],
  'This program:': [
    {
      name: 'auth',
      summary: 'Sign in, sign out and see whose key is used',
      load: () => import('./commands/auth/auth.ts'),
    },
    {
      name: 'whoami',
      summary: 'Show the provider that the key belongs to',
      load: () => import('./commands/auth/whoami.ts'),
    },
    {
      name: 'config',
      summary: 'Read, save and explain settings',
      load: () => import('./commands/general/config.ts'),
    },
    {
      name: 'doctor',
      summary: 'Find problems and how to fix them',
      load: () => import('./commands/doctor/doctor.ts'),
    },
    {
      name: 'completion',
      summary: 'Print the completion script for your shell',
      load: () => import('./commands/general/completion.ts'),
    },
    {
      name: 'commands',
      summary: 'List every command and option',
      load: () => import('./commands/general/commands.ts'),
    },
    {
      name: 'version',
      summary: 'Print the version',
      load: () => import('./commands/general/version.ts'),
    },
    {
      name: 'help',
      summary: 'Show help for a command, exit-codes or environment',
      load: () => import('./commands/general/help.ts'),
    },
  ],
}

export interface Program {
  root: CommandSpec
  version: string
  /** Loads the commands of a group. Does nothing for any other command. */
  load(command: CommandSpec): Promise<void>
  /** Loads every group, for commands that look at the whole tree. */
  loadAll(): Promise<void>
}

/** The tree of commands. */
export const createProgram = (): Program => {
  const root = createCommand([]).description('Register AI models and deployments; issue and check verification links.')
  example(root, 'verify W904-2CKW-GDNC-X7S1')
  const waiting = new Map<CommandSpec, { command: Command; group: Group }>()
  for (const [heading, groups] of Object.entries(sections))
    for (const group of groups) {
      const command = root.command(group.name).summary(group.summary).description(`${group.summary}.`).under(heading)
      waiting.set(command.spec, { command, group })
    }
  const load = async (spec: CommandSpec) => {
    const found = waiting.get(spec)
    if (found === undefined) return
    const { declare } = await found.group.load()
    if (waiting.delete(spec)) declare(found.command)
  }
  return {
    root: root.spec,
    version: manifest.version,
    load,
    loadAll: async () => {
      for (const spec of [...waiting.keys()]) await load(spec)
    },
  }
}
