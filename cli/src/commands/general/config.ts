import { addDryRun, type Declare, example } from '../../args/command.ts'
import { maskKey } from '../../config/credential.ts'
import {
  checkSetting,
  type Explanation,
  isSettingKey,
  type SettingKey,
  settingKeys,
  settings,
} from '../../config/settings.ts'
import type { Context } from '../../context.ts'
import { usage } from '../../failure.ts'
import { printChange } from '../../registry/request.ts'
import { table } from '../../render/output.ts'

export const declare: Declare = (config) => {
  example(config, 'config explain api_url', 'config set api_url https://registry.acme.example')

  const get = config
    .command('get')
    .summary('Print a setting')
    .description('Prints the value of one setting, or of all.')
    .argument('[key]', settingKeys.join(', '), { suggestions: settingKeys })
    .action(async (context, { args: [key] }) => {
      if (key === undefined) return printAll(context)
      const { value } = explainSetting(context, known(key))
      context.out.print({ value: { [key]: value }, ids: value === null ? [] : [value], text: () => value ?? '' })
      if (value === null) context.out.say(`${key} is not set`)
    })
  example(get, 'config get api_url')

  const list = config
    .command('list')
    .summary('List all settings')
    .description('Lists every setting with its value and where it comes from.')
    .action(async (context) => printAll(context))
  example(list, 'config list --json')

  const unset = addDryRun(
    config
      .command('unset')
      .summary('Remove a setting from the profile')
      .description('Removes a saved setting from the active profile, so that its default counts again.')
      .argument('<key>', settingKeys.filter(isSavable).join(', '), { suggestions: settingKeys.filter(isSavable) }),
  ).action(async (context, { args: [key = ''] }) => unsetSetting(context, savable(key)))
  example(unset, 'config unset ca_file')

  const set = addDryRun(
    config
      .command('set')
      .summary('Save a setting in the profile')
      .description('Saves a setting in the active profile. `config set profile NAME` switches to another profile.')
      .argument('<key>', settingKeys.filter(isSavable).join(', '), { suggestions: settingKeys })
      .argument('<value>', '', 'text'),
  ).action(async (context, { args: [key = '', value = ''] }) => {
    const name = savable(key)
    // An empty path would be the current folder.
    if (value === '') return unsetSetting(context, name)
    checkSetting(name, value)
    const { profile, files, out } = context
    const stored = name === 'ca_file' ? files.pathOf(value) : value
    if (context.isDryRun)
      return printChange(context, name === 'profile' ? profile.store.activePath : profile.path, { [name]: stored })
    if (name === 'profile') await profile.store.writeActive(stored)
    else await profile.save({ [name]: stored })
    out.print({ value: { [name]: stored }, ids: [stored], text: () => `${name} is ${stored}` })
  })
  example(set, 'config set profile staging')

  const explain = config
    .command('explain')
    .summary('Show where a value comes from')
    .description(
      'Shows the value of a setting, or of a field with a default in .countersign.json, where it comes from, and which other values it overrides.',
    )
    .argument('<key>', '', { suggestions: settingKeys })
    .action(async (context, { args: [key = ''] }) => {
      const { value, source, shadowed } = explainSetting(context, key)
      if (value === null && !isSettingKey(key)) known(key)
      const rows = [{ source, value }, ...shadowed].map((each, index) => [
        index === 0 ? 'used' : 'hidden',
        each.source ?? 'nowhere',
        each.value ?? '',
      ])
      context.out.print({
        value: { value, source, shadowed },
        ids: value === null ? [] : [value],
        text: (paint) => table(['', 'SOURCE', 'VALUE'], rows, paint),
      })
    })
  example(explain, 'config explain api_url --json')
}

const unsetSetting = async (context: Context, name: SettingKey) => {
  const { profile, out } = context
  if (context.isDryRun)
    return printChange(context, name === 'profile' ? profile.store.activePath : profile.path, { [name]: undefined })
  if (name === 'profile') await profile.store.writeActive(undefined)
  else await profile.save({ [name]: undefined })
  const fallback = 'fallback' in settings[name] ? settings[name].fallback : null
  const rest = fallback === null ? '' : `; the default is ${fallback}`
  out.print({ value: { [name]: null }, ids: [], text: () => `${name} is not set${rest}` })
}

const savable = (key: string): SettingKey => {
  const name = known(key)
  if (isSavable(name)) return name
  throw usage(
    `${name} cannot be saved`,
    name === 'api_key' ? 'Run: countersign auth login' : `Set ${variablesOf(name).join(' or ')}`,
  )
}

const printAll = (context: Context) => {
  const all = settingKeys.map((key) => [key, explainSetting(context, key)] as const)
  context.out.print({
    value: Object.fromEntries(all.map(([key, { value }]) => [key, value])),
    ids: [],
    text: (paint) =>
      table(
        ['SETTING', 'VALUE', 'SOURCE'],
        all.map(([key, { value, source }]) => [key, value ?? '-', source ?? '-']),
        paint,
      ),
  })
}

/** An explanation without secrets. */
const explainSetting = (context: Context, key: string): Explanation => {
  const { value, source, shadowed } = context.explain(key)
  if (key !== 'api_key') return { value, source, shadowed }
  const masked = shadowed.map((each) => ({ ...each, value: maskKey(each.value) }))
  return { value: value === null ? null : maskKey(value), source, shadowed: masked }
}

const isSavable = (key: SettingKey) => 'isSavable' in settings[key]
const variablesOf = (key: SettingKey): readonly string[] => {
  const setting = settings[key]
  return 'variables' in setting ? Object.keys(setting.variables) : []
}

const known = (key: string): SettingKey => {
  if (isSettingKey(key)) return key
  throw usage(`There is no setting ${JSON.stringify(key)}`, `Settings: ${settingKeys.join(', ')}`)
}
