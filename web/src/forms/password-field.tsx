import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { site } from '#messages/site.ts'
import { Button } from '../ui/controls/button.tsx'
import { controlLook } from '../ui/controls/control-look.ts'
import { Field } from './field.tsx'

type PasswordFieldProps = ComponentProps<'input'> & Pick<ComponentProps<typeof Field>, 'label' | 'hint' | 'problem'>

/** A password input with a button to show it. */
export const PasswordField = ({ label, hint, problem, ...input }: PasswordFieldProps) => {
  const [isShown, setIsShown] = useState(false)
  const Icon = isShown ? EyeOff : Eye
  return (
    <Field {...{ label, hint, problem }}>
      {(tie) => (
        <div className="relative">
          <input
            {...tie}
            {...input}
            type={isShown ? 'text' : 'password'}
            spellCheck={false}
            autoCapitalize="off"
            className={`${controlLook} pe-11`}
          />
          <Button
            look="icon"
            aria-label={isShown ? site.form.hidePassword : site.form.showPassword}
            onClick={() => setIsShown(!isShown)}
            className="absolute end-0 top-0"
          >
            <Icon aria-hidden size={18} />
          </Button>
        </div>
      )}
    </Field>
  )
}
