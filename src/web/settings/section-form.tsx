import type { ReactNode } from 'react'
import type { Failure } from '../lib/submit.ts'
import { ActionBar } from '../ui/action-bar.tsx'
import { Card } from '../ui/card.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import { AffectedAppointments, affectedIn } from '../users/affected.tsx'

type SectionFormProps = {
  intent: string
  version: number
  result: Failure | undefined
  /** What its button says. */
  submit?: string
  children: ReactNode
}

/** The form of one page; appointments that its change touches are settled in it. */
export function SectionForm({ intent, version, result, submit = 'Guardar', children }: SectionFormProps) {
  const name = `settings.${intent}`
  const own = result?.values.intent === name ? result : undefined
  return (
    <Form result={own}>
      <input type="hidden" name="version" value={version} />
      <Card>{children}</Card>
      <AffectedAppointments affected={affectedIn(own)} />
      <ActionBar>
        <input type="hidden" name="intent" value={name} />
        <Submit>{submit}</Submit>
      </ActionBar>
    </Form>
  )
}
