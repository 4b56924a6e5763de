import type { MoveName } from '../../domain/appointments/transitions.ts'
import type { Failure } from '../lib/submit.ts'
import { startFormId } from '../reports/start-form.tsx'
import { ActionBar } from '../ui/action-bar.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'

/** The moves of a button each, in the order of the day; the last that can be made is the next one. */
export const barMoves = ['setOut', 'start', 'resume'] as const

const labels = { setOut: 'En camino', start: 'Iniciar', resume: 'Continuar' }

type FieldBarProps = {
  moves: readonly MoveName[]
  wait: string | null
  result: Failure | undefined
  /** What has to be looked at before the start stands in a form of its own. */
  withChecklist: boolean
}

/** The next step of whoever carries an appointment out, always in sight. */
export function FieldBar({ moves, wait, result, withChecklist }: FieldBarProps) {
  const shown = barMoves.filter((name) => moves.includes(name))
  if (shown.length === 0 && !wait) return null
  return (
    <ActionBar>
      {wait && <p className="text-[0.9375rem] text-mute">{wait}</p>}
      {shown.length > 0 && (
        <Form result={result} className="auto-cols-fr grid-flow-col">
          {shown.map((name) => (
            <Submit
              key={name}
              name="move"
              value={name}
              form={withChecklist && name === 'start' ? startFormId : undefined}
              variant={name === shown.at(-1) ? 'primary' : 'ghost'}
            >
              {labels[name]}
            </Submit>
          ))}
        </Form>
      )}
    </ActionBar>
  )
}
