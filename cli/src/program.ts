import manifest from '../package.json' with { type: 'json' }
import { type Command, type CommandSpec, createCommand, type Declare, example } from './args/command.ts'

interface Group {
  name: string
  summary: string
  load(): Promise<Declare>
}

/** The first level of the tree. The commands of a group load only when they are called, which keeps every start fast. */
const groups: readonly Group[] = [
  {
    name: 'verify',
    summary: 'Check a link, a code or a token',
    load: async () => (await import('./commands/verify/verify.ts')).declareVerify,
  },
  {
    name: 'tokens',
    summary: 'Mint verification links and bind answers to them',
    load: async () => (await import('./commands/tokens/tokens.ts')).declareTokens,
  },
  {
    name: 'providers',
    summary: 'Register and prove who you are',
    load: async () => (await import('./commands/providers/providers.ts')).declareProviders,
  },
  {
    name: 'domains',
    summary: 'Prove domains and choose the primary one',
    load: async () => (await import('./commands/providers/domains.ts')).declareDomains,
  },
  {
    name: 'models',
    summary: 'Register models and their versions',
    load: async () => (await import('./commands/models/models.ts')).declareModels,
  },
  {
    name: 'bundles',
    summary: 'Sign models and check who signed them',
    load: async () => (await import('./commands/bundles/bundles.ts')).declareBundles,
  },
  {
    name: 'signers',
    summary: 'Declare who may sign your models',
    load: async () => (await import('./commands/bundles/signers.ts')).declareSigners,
  },
  {
    name: 'publishers',
    summary: 'Trust CI jobs to publish without a key',
    load: async () => (await import('./commands/providers/publishers.ts')).declarePublishers,
  },
  {
    name: 'members',
    summary: 'Invite colleagues and give them roles',
    load: async () => (await import('./commands/members/members.ts')).declareMembers,
  },
  {
    name: 'changes',
    summary: 'See and decide on changes that wait for approval',
    load: async () => (await import('./commands/changes/changes.ts')).declareChanges,
  },
  {
    name: 'deployments',
    summary: 'Register deployments and what they may speak for',
    load: async () => (await import('./commands/deployments/deployments.ts')).declareDeployments,
  },
  {
    name: 'incidents',
    summary: 'Report models and answer reports about yours',
    load: async () => (await import('./commands/incidents/incidents.ts')).declareIncidents,
  },
  {
    name: 'search',
    summary: 'Find providers and models',
    load: async () => (await import('./commands/general/search.ts')).declareSearch,
  },
  {
    name: 'open',
    summary: 'Open a link, a model, a provider or a search in the browser',
    load: async () => (await import('./commands/general/open.ts')).declareOpen,
  },
  {
    name: 'keys',
    summary: 'Create, list and revoke API keys',
    load: async () => (await import('./commands/keys/keys.ts')).declareKeys,
  },
  {
    name: 'status',
    summary: 'List what needs your attention',
    load: async () => (await import('./commands/general/status.ts')).declareStatus,
  },
  {
    name: 'usage',
    summary: 'Show how much of your quotas is used',
    load: async () => (await import('./commands/general/usage.ts')).declareUsage,
  },
  {
    name: 'events',
    summary: 'List what happened in your account',
    load: async () => (await import('./commands/general/events.ts')).declareEvents,
  },
  {
    name: 'fingerprint',
    summary: 'Compute the SPKI fingerprint of a certificate or key',
    load: async () => (await import('./commands/deployments/fingerprint.ts')).declareFingerprint,
  },
  {
    name: 'verify-bundle',
    summary: 'Check a signed bundle, as conformance suites do',
    load: async () => (await import('./commands/bundles/bundle-verify.ts')).declareVerifyBundle,
  },
  {
    name: 'log',
    summary: 'Check, witness and monitor the transparency log',
    load: async () => (await import('./commands/log/log.ts')).declareLog,
  },
  {
    name: 'mcp',
    summary: 'Give an AI its links over MCP',
    load: async () => (await import('./commands/mcp/mcp.ts')).declareMcp,
  },
  {
    name: 'api',
    summary: 'Send any request to the registry',
    load: async () => (await import('./commands/api/api.ts')).declareApi,
  },
  {
    name: 'auth',
    summary: 'Sign in, sign out and see whose key is used',
    load: async () => (await import('./commands/auth/auth.ts')).declareAuth,
  },
  {
    name: 'whoami',
    summary: 'Show the provider that the key belongs to',
    load: async () => (await import('./commands/auth/auth.ts')).declareWhoami,
  },
  {
    name: 'config',
    summary: 'Read, save and explain settings',
    load: async () => (await import('./commands/general/config.ts')).declareConfig,
  },
  {
    name: 'doctor',
    summary: 'Find problems and how to fix them',
    load: async () => (await import('./commands/doctor/doctor.ts')).declareDoctor,
  },
  {
    name: 'completion',
    summary: 'Print the completion script for your shell',
    load: async () => (await import('./commands/general/completion.ts')).declareCompletion,
  },
  {
    name: 'commands',
    summary: 'List every command and option',
    load: async () => (await import('./commands/general/commands.ts')).declareCommands,
  },
  {
    name: 'version',
    summary: 'Print the version',
    load: async () => (await import('./commands/general/version.ts')).declareVersion,
  },
  {
    name: 'help',
    summary: 'Show help for a command, exit-codes or environment',
    load: async () => (await import('./commands/general/help.ts')).declareHelp,
  },
]

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
  for (const group of groups) {
    const command = root.command(group.name).summary(group.summary).description(`${group.summary}.`)
    waiting.set(command.spec, { command, group })
  }
  const load = async (spec: CommandSpec) => {
    const found = waiting.get(spec)
    if (found === undefined) return
    const declare = await found.group.load()
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
