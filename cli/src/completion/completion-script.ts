import { completeWord } from './complete-word.ts'

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const
export type Shell = (typeof shells)[number]

const bash = `# bash completion for countersign
_countersign() {
  local current="\${COMP_WORDS[COMP_CWORD]}" takes_file='' value about
  if [ "$current" = '=' ]; then current=''; fi
  COMPREPLY=()
  while IFS=$'\\t' read -r value about; do
    if [ "$value" = ':files' ]; then takes_file=1; else COMPREPLY+=("$value"); fi
  done < <(countersign ${completeWord} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null </dev/null)
  if [ -n "$takes_file" ]; then
    while IFS= read -r value; do COMPREPLY+=("$value"); done < <(compgen -f -- "$current")
    compopt -o filenames 2>/dev/null
  fi
}
complete -F _countersign countersign
`

const zsh = `#compdef countersign
_countersign() {
  local -a values shown
  local line takes_file=''
  for line in "\${(@f)$(countersign ${completeWord} "\${(@)words[2,CURRENT]}" 2>/dev/null </dev/null)}"; do
    if [[ -z "$line" ]]; then continue; fi
    if [[ "$line" == ':files' ]]; then takes_file=1; continue; fi
    values+=("\${line%%$'\\t'*}")
    if [[ "$line" == *$'\\t'* ]]; then shown+=("\${line%%$'\\t'*}  -- \${line#*$'\\t'}"); else shown+=("$line"); fi
  done
  (( \${#values} )) && compadd -l -d shown -a values
  if [[ -n "$takes_file" ]]; then _files; fi
}
if [[ "\${funcstack[1]:-}" == _countersign ]]; then _countersign "$@"; else compdef _countersign countersign; fi
`

const fish = `# fish completion for countersign
function __countersign_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    for line in (countersign ${completeWord} $before[2..] "$current" 2>/dev/null </dev/null)
        if test "$line" = ':files'
            __fish_complete_path "$current"
        else
            printf '%s\\n' $line
        end
    end
end
complete -c countersign -f -a '(__countersign_complete)'
`

const powershell = `# PowerShell completion for countersign
Register-ArgumentCompleter -Native -CommandName countersign -ScriptBlock {
    param($word, $commandAst, $cursor)
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursor -or $_.Extent.Text -eq $word } | ForEach-Object { $_.Extent.Text })
    # Windows PowerShell drops empty arguments, so a new word is passed as a quoted one.
    if ($word -eq '') { $words += if ($PSVersionTable.PSVersion -ge [version]'7.3') { '' } else { '""' } }
    countersign ${completeWord} @words 2>$null | ForEach-Object {
        $value, $about = $_ -split "\`t", 2
        if ($value -eq ':files') {
            # Keeps the folder that was typed, and quotes names with spaces.
            [System.Management.Automation.CompletionCompleters]::CompleteFilename($word)
        } else {
            if (-not $about) { $about = $value }
            [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $about)
        }
    }
}
`

/** Each script asks the program for candidates, so it never goes out of date. */
export const completionScripts = { bash, zsh, fish, powershell } as const satisfies Record<Shell, string>
