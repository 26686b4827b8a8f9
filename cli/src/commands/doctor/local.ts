import { existsSync, readFileSync, statSync } from 'node:fs'
import manifest from '../../../package.json' with { type: 'json' }
import { type SettingKey, settingKeys } from '../../config/settings.ts'
import type { Context } from '../../context.ts'
import { Failure } from '../../failure.ts'
import { readCaFile } from '../../registry/connect.ts'
import { shellWord } from '../../render/shell-word.ts'
import { fail, type Look, ok, reasonOf, skipped, warn } from './finding.ts'

/** Checks of this machine that need no network. */
export const lookAtConfig = (context: Context): Look => {
  const { profile, env, files } = context
  const keyFile = env.COUNTERSIGN_API_KEY_FILE ? files.pathOf(env.COUNTERSIGN_API_KEY_FILE) : undefined
  try {
    void profile.saved
    if (keyFile !== undefined) readFileSync(keyFile)
  } catch (error) {
    return fail(2, reasonOf(error), `ls -l ${keyFile ?? profile.path}`)
  }
  const invalid = settingKeys.flatMap((key) => invalidReason(context, key))
  if (invalid[0] !== undefined) return fail(2, invalid.join('; '), 'countersign config list')
  const secretFiles = [profile.path, ...(keyFile === undefined ? [] : [keyFile])].filter((path) => existsSync(path))
  const open = secretFiles.filter(isOpenToOthers)
  if (open.length > 0)
    return warn(
      `Other users of this machine can read ${open.join(' and ')}`,
      `chmod 600 ${open.map(shellWord).join(' ')}`,
    )
  return secretFiles.length === 0
    ? skipped(`Nothing is saved in ${profile.store.folder}`)
    : ok(`Only you can read ${secretFiles.join(', ')}`)
}

/** Why a setting cannot be used; empty if it can. */
const invalidReason = ({ setting, files }: Context, key: SettingKey): string[] => {
  try {
    const value = setting(key)
    if (key === 'ca_file' && value !== undefined) readCaFile(files.pathOf(value))
    return []
  } catch (error) {
    const hint = error instanceof Failure && error.hint !== null ? ` (${error.hint})` : ''
    const reason = error instanceof Failure ? error.message : reasonOf(error)
    return [`${reason.startsWith(key) ? '' : `${key}: `}${reason}${hint}`]
  }
}

/** Windows has no such permission bits. */
export const isOpenToOthers = (path: string) => process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0

/** The registry's version is null if it doesn't report one. */
export const compareVersions = (registry: string | null): Look => {
  const own = `Node ${process.versions.node}, countersign ${manifest.version}`
  if (registry === null) return ok(`${own}; the registry did not report its version`)
  const versions = `${own}, registry ${registry}`
  return lineOf(registry) === lineOf(manifest.version)
    ? ok(versions)
    : warn(versions, `npm install --global ${manifest.name}@${isVersion(registry) ? registry : 'VERSION'}`)
}

/** Instead of a version, npm would take the address of any package. */
const isVersion = (text: string) => /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(text)

/** Versions are compatible if their first number matches; below 1.0, the second must match as well. */
const lineOf = (version: string) => {
  const [major = '', minor = ''] = version.split('.')
  return major === '0' ? `0.${minor}` : major
}
