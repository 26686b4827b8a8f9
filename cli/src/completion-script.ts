import type { Command, Option } from 'commander'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/** One place in the tree: what may follow there. */
interface Place {
  /** Words from the root, `models register`; empty for the root. */
  path: string
  subcommands: readonly { name: string; summary: string }[]
  options: readonly Option[]
  /** The argument's fixed values, or undefined where it is a file. */
  values: readonly string[] | undefined
  takesFile: boolean
}

export const scriptFor = (shell: Shell, program: Command) => writers[shell](placesOf(program))

const placesOf = (command: Command, path: readonly string[] = []): Place[] => {
  const visible = command.createHelp().visibleCommands(command)
  const [argument] = command.registeredArguments
  return [
    {
      path: path.join(' '),
      subcommands: visible.map((child) => ({ name: child.name(), summary: child.summary() })),
      options: command.createHelp().visibleOptions(command),
      values: command.name() === 'help' && path.length === 1 ? ['exit-codes', 'environment'] : argument?.argChoices,
      takesFile: argument !== undefined && /path|file|source/i.test(argument.name()),
    },
    ...visible.flatMap((child) => placesOf(child, [...path, child.name()])),
  ]
}

const namesOf = ({ short, long }: Option) => [short, long].filter((name) => name !== undefined)
const takesValue = ({ required, optional }: Option) => required || optional
const isFileOption = ({ flags }: Option) => /<file>/.test(flags)
const wordsAt = ({ subcommands, values = [] }: Place) => [...subcommands.map(({ name }) => name), ...values]

/* ---- bash and zsh: one walk over the words, then one case ---- */

const casesOf = (places: readonly Place[]) => {
  const words = places.map(
    (place) =>
      `    '${place.path}') offers='${wordsAt(place).join(' ')}' options='${place.options.flatMap(namesOf).join(' ')}' files=${place.takesFile ? 1 : 0} ;;`,
  )
  const paths = places.flatMap(({ path, subcommands }) => subcommands.map(({ name }) => `'${`${path} ${name}`.trim()}'`))
  const valued = [...new Set(places.flatMap(({ options }) => options.filter(takesValue).flatMap(namesOf)))]
  const values = places.flatMap(({ path, options }) =>
    options.flatMap((option) =>
      namesOf(option).flatMap((name) => {
        if (option.argChoices !== undefined) return [`    '${path} ${name}') offers='${option.argChoices.join(' ')}' ;;`]
        return isFileOption(option) ? [`    '${path} ${name}') files=1 ;;`] : []
      }),
    ),
  )
  return { words, paths, valued, values }
}

/** Shell code, the same in bash and zsh, that sets `offers`, `options` and `files` for the word being typed. */
const walk = (places: readonly Place[]) => {
  const { words, paths, valued, values } = casesOf(places)
  return `  local place='' skip=0 word offers='' options='' files=0
  for word in "\${before[@]}"; do
    if [ "$skip" = 1 ]; then skip=0; continue; fi
    case "$word" in
      ${valued.join('|')}) skip=1; continue ;;
      -*) continue ;;
    esac
    case "\${place:+$place }$word" in
      ${paths.join('|')}) place="\${place:+$place }$word" ;;
    esac
  done
  if [ "$skip" = 1 ]; then
    case "$place $previous" in
${values.map((line) => `  ${line}`).join('\n')}
    esac
  else
    case "$place" in
${words.map((line) => `  ${line}`).join('\n')}
    esac
    case "$current" in -*) offers="$options" files=0 ;; esac
  fi`
}

const writeBash = (places: readonly Place[]) => `# bash completion for countersign
_countersign() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local before=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
${walk(places)}
  COMPREPLY=($(compgen -W "$offers" -- "$current"))
  if [ "$files" = 1 ]; then COMPREPLY+=($(compgen -f -- "$current")); compopt -o filenames 2>/dev/null; fi
}
complete -F _countersign countersign
`

const writeZsh = (places: readonly Place[]) => `#compdef countersign
_countersign() {
  emulate -L sh
  local current="\${COMP_CURRENT:-}" previous="\${COMP_PREVIOUS:-}"
${walk(places)}
  COMP_FOUND="$offers" COMP_FILES="$files"
}
_countersign_zsh() {
  local -a before found
  local COMP_CURRENT="\${words[CURRENT]}" COMP_PREVIOUS="\${words[CURRENT-1]}" COMP_FOUND='' COMP_FILES=0
  before=("\${(@)words[2,CURRENT-1]}")
  _countersign
  found=(\${(s: :)COMP_FOUND})
  (( \${#found} )) && compadd -a found
  [[ "$COMP_FILES" = 1 ]] && _files
}
if [ "\${funcstack[1]:-}" = _countersign ]; then _countersign_zsh "$@"; else compdef _countersign_zsh countersign; fi
`

/* ---- fish: one line for each thing that may be typed ---- */

const quoted = (text: string) => `'${text.replace(/\\/g, '\\\\').replace(/'/g, "\\'")}'`

const writeFish = (places: readonly Place[]) => {
  const lines = places.flatMap((place) => {
    const condition = `-n ${quoted(`__countersign_at ${quoted(place.path).replaceAll("'", '"')}`)}`
    return [
      ...place.subcommands.map(({ name, summary }) => `complete -c countersign -f ${condition} -a ${name} -d ${quoted(summary)}`),
      ...(place.values ?? []).map((value) => `complete -c countersign -f ${condition} -a ${value}`),
      ...(place.takesFile ? [`complete -c countersign -F ${condition}`] : []),
      ...place.options.map((option) => optionLine(option, condition)),
    ]
  })
  return `# fish completion for countersign
function __countersign_at
    set -l place
    for word in (commandline -opc)[2..]
        string match -q -- '-*' $word; or set -a place $word
    end
    set -l wanted (string split -n ' ' -- $argv[1])
    test (count $wanted) = 0; and test (count $place) = 0; and return 0
    test (count $wanted) -gt 0; and test "$place[1..(count $wanted)]" = "$argv[1]"
end
${[...new Set(lines)].join('\n')}
`
}

const optionLine = ({ short, long, description, argChoices, ...option }: Option, condition: string) => {
  const names = `${short === undefined ? '' : `-s ${short.slice(1)} `}${long === undefined ? '' : `-l ${long.slice(2)}`}`.trim()
  const value =
    argChoices !== undefined
      ? ` -x -a ${quoted(argChoices.join(' '))}`
      : /<file>/.test(option.flags)
        ? ' -r -F'
        : option.required
          ? ' -x'
          : ''
  return `complete -c countersign ${condition} ${names}${value} -d ${quoted(description)}`
}

const writers = { bash: writeBash, zsh: writeZsh, fish: writeFish } as const satisfies Record<Shell, (places: readonly Place[]) => string>
