import { apiScopes, keyLives, scopeNames } from '../../domain/agencies/integrations.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { Field } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Select } from '../ui/select.tsx'
import { Submit } from '../ui/submit.tsx'

const lives = Object.entries(keyLives).map(([value, label]) => ({ value, label }))

/** The form of a key: what it is for, what it opens, and how long. */
export function NewKey() {
  return (
    <Form intent="keys.make">
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          label="Para qué sistema"
          name="name"
          autoComplete="off"
          maxLength={80}
          placeholder="CRM de ventas"
        />
        <Select label="Cuánto dura" name="life" options={lives} defaultValue="year" />
      </div>
      <fieldset className="grid gap-1">
        <legend className="mb-1 font-semibold">Qué permite</legend>
        {scopeNames.map((scope) => (
          <Checkbox key={scope} label={apiScopes[scope]} name={scope} defaultChecked />
        ))}
      </fieldset>
      <div>
        <Submit>Crear llave</Submit>
      </div>
    </Form>
  )
}
