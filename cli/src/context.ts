import { existsSync, readFileSync } from 'node:fs'
import { resolve as resolvePath } from 'node:path'
import type { Countersign } from '@countersign/sdk'
import type { Flags } from './args/command.ts'
import { type Credential, chooseCredential } from './config/credential.ts'
import { configFolder, createProfileStore, type Profile, type ProfileStore } from './config/profile.ts'
import { checkSetting, type Explanation, explain, type Inputs, nameSource, type SettingKey } from './config/settings.ts'
import { cancelled, Failure, missingCredentials, usage } from './failure.ts'
import { createFiles, type Files, unreadable } from './io/files.ts'
import { createPrompts, isInteractive, isOn, type Prompts } from './io/prompt.ts'
import { createOutput, dyed, type Output, type Paint, plain, printable, wantsColor } from './render/output.ts'
import type { World } from './world.ts'

export interface Connection {
  /** Default `required`. */
  key?: 'required' | 'optional' | 'none'
  /** The mutual-TLS port, instead of the API's own address. */
  tlsUrl?: string
  fetch?: typeof fetch
  /** Signs the requests that it sends. */
  sign?: ((send: typeof fetch) => typeof fetch) | undefined
  /** Instead of the key that the settings give. */
  apiKey?: string
}

/** What a command gets: the client, the output, files, the clock, and where its settings come from. */
export interface Context {
  out: Output
  /** The colors of stderr. */
  errorPaint: Paint
  files: Files
  now(): Date
  signal: AbortSignal
  isDryRun: boolean
  /** A person can be prompted. */
  isInteractive: boolean
  /** stderr is a terminal and output is wanted, so progress bars and spinners may move. */
  isWatched: boolean
  env: World['env']
  /** Set if the world provides its own. */
  fetch: typeof fetch | undefined
  /** Plain http to another machine was allowed. */
  allowsInsecureHttp: boolean
  setting(key: SettingKey): string | undefined
  explain(key: string): Explanation
  /** An option, or the project file's default for the field. */
  field(flag: string, name: string): string | undefined
  profile: ProfileAccess
  credential(): Credential | undefined
  connect(connection?: Connection): Promise<Countersign>
  /** Adds details to an error that only this command's circumstances reveal. */
  withHint(error: unknown): Promise<unknown>
  prompts(): Prompts
  /** Before a destructive action: requires `--yes` or a person's confirmation. The hint is for those who cannot be asked. */
  confirm(question: string, hint?: string): Promise<void>
}

export interface ProfileAccess {
  name: string
  path: string
  saved: Profile
  save(changes: Profile): Promise<void>
  store: ProfileStore
}

export const createContext = async (world: World, flags: Flags): Promise<Context> => {
  const { env, stdout, stderr } = world
  const jq = flags.text('jq')
  const filter = jq === undefined ? undefined : await (await import('./render/jq.ts')).compileFilter(jq)
  const mode =
    flags.isOn('json') || filter !== undefined
      ? 'json'
      : flags.isOn('quiet')
        ? 'ids'
        : checkSetting('output', env.COUNTERSIGN_OUTPUT || 'text', 'COUNTERSIGN_OUTPUT') === 'json'
          ? 'json'
          : 'text'
  const paintFor = (isTerminal: boolean) =>
    choosePaint(mode === 'text' && wantsColor({ env, isTerminal, allowed: flags.all.color !== false }))
  const errorPaint = await paintFor(stderr.isTerminal)
  const out = createOutput({
    mode,
    stdout,
    stderr,
    paint: await paintFor(stdout.isTerminal),
    errorPaint,
    filter,
    columns: Number(env.COUNTERSIGN_COLUMNS) || undefined,
    profile: flags.text('profile'),
  })

  const store = createProfileStore(configFolder(env))
  const named =
    explain('profile', { flags: flags.all, env, project: {}, profile: { profile: store.readActive() } }).value ??
    'default'
  const profileName = checkSetting('profile', named)
  const saved = once(() => store.read(profileName))
  const project = once(await projectReader(world, out))
  const inputs = (): Inputs => ({
    flags: flags.all,
    env,
    project: project(),
    profile: { ...saved(), profile: store.readActive() },
  })
  const settingInputs = (): Inputs => ({
    flags: flags.all,
    env,
    project: {},
    profile: { ...saved(), profile: store.readActive() },
  })

  const setting = (key: SettingKey) => {
    const { value, source } = explain(key, settingInputs())
    if (value === null) return undefined
    try {
      return checkSetting(key, value)
    } catch (error) {
      // The flag is on the line that was just typed.
      if (!(error instanceof Failure) || source === 'flag') throw error
      throw usage(error.message, `It is from ${nameSource(key, source, store.pathOf(profileName))}`)
    }
  }
  const credential = (tlsUrl?: string) =>
    chooseCredential({
      url: tlsUrl ?? setting('api_url') ?? '',
      isTlsPort: tlsUrl !== undefined,
      env,
      profile: saved(),
      readKeyFile: (path) => readKeyFile(resolvePath(world.cwd, path)),
    })
  const canAsk = () =>
    isInteractive({
      env,
      hasTerminal: world.stdin.isTerminal && stderr.isTerminal,
      allowed: flags.all.input !== false,
    })
  // A terminal without a width, as some containers have, has no viewer; a bar would fill it forever.
  const isWatched = () =>
    mode === 'text' && !isOn(env.CI) && env.TERM !== 'dumb' && stderr.isTerminal && (stderr.columns ?? 0) > 0
  const isJobToken = () => credential()?.source === 'profile' && saved().publisher_id !== undefined
  const allowsInsecureHttp = flags.isOn('insecureHttp')
  let sentJobToken = false
  let usedTlsUrl = false
  const prompts = () => world.prompts ?? createPrompts(world.signal, env)

  return {
    out,
    errorPaint,
    files: createFiles(world),
    now: world.now,
    signal: world.signal,
    isDryRun: flags.isOn('dryRun'),
    get isInteractive() {
      return canAsk()
    },
    get isWatched() {
      return isWatched()
    },
    env,
    fetch: world.fetch,
    allowsInsecureHttp,
    setting,
    explain: (key) => explain(key, inputs()),
    field: (flag, name) => flags.text(flag) ?? explain(name, inputs()).value ?? undefined,
    profile: {
      name: profileName,
      path: store.pathOf(profileName),
      get saved() {
        return saved()
      },
      save: (changes) => store.write(profileName, changes),
      store,
    },
    credential,
    connect: async ({ key = 'required', tlsUrl, fetch, sign, apiKey } = {}) => {
      const url = tlsUrl ?? setting('api_url') ?? ''
      const found = apiKey ?? (key === 'none' ? undefined : credential(tlsUrl)?.key)
      if (key === 'required' && found === undefined)
        throw noKey({ name: profileName, isThere: store.exists(profileName), saved: saved() }, url)
      if (
        apiKey === undefined &&
        key === 'required' &&
        credential(tlsUrl)?.source === 'profile' &&
        hasEnded({ profile: { saved: saved() }, now: world.now })
      )
        throw missingCredentials(
          'Your sign-in has expired',
          `Run: countersign auth login${saved().publisher_id ? ' --oidc' : ''}`,
        )
      usedTlsUrl ||= tlsUrl !== undefined
      sentJobToken ||= apiKey === undefined && found !== undefined && isJobToken()
      const { connect } = await import('./registry/connect.ts')
      return connect({
        url,
        insecureHttp: allowsInsecureHttp,
        apiKey: found,
        timeoutMs: Number(setting('timeout')) * 1_000,
        fetch: fetch ?? world.fetch,
        sign,
        env,
        caFile: setting('ca_file'),
        cwd: world.cwd,
        say: out.say,
        isWatched: isWatched() && !flags.isOn('verbose'),
        signal: world.signal,
        log: flags.isOn('verbose') && mode !== 'json' ? (line) => stderr.write(`${printable(line)}\n`) : undefined,
      })
    },
    withHint: async (error) => {
      const { withHint } = await import('./render/error-hints.ts')
      const variable = () =>
        credential()?.source !== 'environment'
          ? undefined
          : env.COUNTERSIGN_API_KEY
            ? 'COUNTERSIGN_API_KEY'
            : 'COUNTERSIGN_API_KEY_FILE'
      return withHint(error, { url: setting('api_url') ?? '', isJobToken: sentJobToken, variable, usedTlsUrl })
    },
    prompts,
    confirm: async (question, hint) => {
      if (flags.isOn('yes')) return
      if (!canAsk()) throw usage(`${question} This requires --yes when not running interactively`, hint)
      if (!(await prompts().confirm(question))) throw cancelled()
    },
  }
}

/** The expiry of a CI job's token or a session; that of keys is not known here. */
export const hasEnded = ({
  profile: { saved },
  now,
}: {
  profile: Pick<ProfileAccess, 'saved'>
  now: Context['now']
}): boolean => saved.expires_at !== undefined && Date.parse(saved.expires_at) <= now().getTime()

const choosePaint = async (isColored: boolean): Promise<Paint> => {
  if (!isColored) return plain
  const { Chalk } = await import('chalk')
  return dyed(new Chalk({ level: 1 }))
}

const readKeyFile = (path: string) => {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw usage(`COUNTERSIGN_API_KEY_FILE: ${unreadable(error, path)}`)
  }
}

/** Most folders have no project file, and most commands do not need it: then it costs nothing, and a broken one does no harm. */
const projectReader = async ({ cwd }: World, out: Output): Promise<() => Inputs['project']> => {
  const path = resolvePath(cwd, '.countersign.json')
  if (!existsSync(path)) return () => ({})
  const { readProject } = await import('./config/project-file.ts')
  return () => {
    const { fields, warning } = readProject(readFileSync(path, 'utf8'), path)
    if (warning !== undefined) out.warn(warning)
    return fields
  }
}

const noKey = ({ name, isThere, saved }: { name: string; isThere: boolean; saved: Profile }, url: string) => {
  if (saved.api_key !== undefined)
    return missingCredentials(
      `The saved key belongs to ${saved.key_origin ?? 'another registry'} and is not sent to ${originOf(url)}`,
      'Set COUNTERSIGN_API_KEY, or sign in there under another --profile NAME',
    )
  return isThere || name === 'default'
    ? missingCredentials(
        'An API key is required',
        'Set COUNTERSIGN_API_KEY, or run: countersign auth login. New here? Run: countersign providers register',
      )
    : missingCredentials(`There is no profile ${name}`, `Create it with: countersign auth login --profile ${name}`)
}

const originOf = (url: string) => {
  if (!URL.canParse(url)) throw usage(`${JSON.stringify(url)} is not a valid address`)
  return new URL(url).origin
}

const once = <T>(make: () => T) => {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
