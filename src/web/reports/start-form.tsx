import { type FormEvent, useState } from 'react'
import { riskChecklist } from '../../domain/reports/installation-record.ts'
import type { Draft } from '../offline/draft.ts'
import { Card } from '../ui/card.tsx'
import { Form } from '../ui/form.tsx'
import { TickField } from './loads-field.tsx'

/** The form of the start, by which its button at the foot of the screen sends it. */
export const startFormId = 'empezar'

/** What has to be looked at before an installation begins. */
export function StartForm({ draft }: { draft: Draft }) {
  const [tried, setTried] = useState(false)
  const { answers } = draft
  const send = (event: FormEvent<HTMLFormElement>) => {
    const unticked = event.currentTarget.querySelector<HTMLElement>('input[type=checkbox]:not(:checked)')
    if (!unticked) return
    event.preventDefault()
    setTried(true)
    unticked.focus()
  }
  return (
    <Card title={riskChecklist.title} className="max-lg:order-first">
      <Form intent="start" by="move" id={startFormId} onSubmit={send}>
        <div className="grid gap-2">
          {riskChecklist.questions.map(({ name, label }) => (
            <TickField
              key={name}
              {...{ name, label }}
              value={answers[name] === true}
              error={tried && answers[name] !== true ? 'Falta marcarlo.' : undefined}
              hear={(ticked) => draft.write(name, ticked === true ? true : null)}
            />
          ))}
        </div>
      </Form>
    </Card>
  )
}
