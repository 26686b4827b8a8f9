import { type Declare, example } from '../../args/command.ts'
import { completionScripts, shells } from '../../completion/completion-script.ts'
import { usage } from '../../failure.ts'

export const declare: Declare = (completion) => {
  completion
    .description(
      'Prints a script that lets your shell complete commands, options, option values, and the IDs in your account. Load it with: eval "$(countersign completion bash)", or in PowerShell: countersign completion powershell | Out-String | Invoke-Expression',
    )
    .argument('<shell>', '', { choices: shells })
    .action(async ({ out }, { args: [name] }) => {
      const shell = shells.find((each) => each === name)
      if (shell === undefined) throw usage(`There is no completion for ${name}`)
      const script = completionScripts[shell]
      out.print({ value: { shell, script }, ids: [], text: () => script })
    })
  example(
    completion,
    'completion bash > /etc/bash_completion.d/countersign',
    'completion zsh > ~/.zfunc/_countersign',
    'completion fish > ~/.config/fish/completions/countersign.fish',
    'completion powershell >> $PROFILE',
  )
}
