import type { Touch } from '../projects/first-touch.ts'
import { Field } from '../ui/field.tsx'

type CodeFieldProps = { touch: Touch; label?: string; optional?: boolean }

/** The code of a dealership, filled in already for whoever came by a link. */
export const CodeField = ({
  touch,
  label = 'Código de tu concesionaria',
  optional = true,
}: CodeFieldProps) => (
  <>
    <Field
      label={label}
      name="codigo"
      optional={optional}
      defaultValue={touch.code ?? ''}
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      enterKeyHint="go"
      maxLength={40}
      className="[&_input]:uppercase"
    />
    {touch.invitation && <input type="hidden" name="registro" value={touch.invitation} />}
  </>
)
