import type { NextStep } from '../../domain/project.ts'
import { slotPath } from '../agenda/paths.ts'
import { dateTime } from '../format.ts'
import { Alert } from '../ui/alert.tsx'
import { LinkButton } from '../ui/button.tsx'
import { isUnfinished, type ShownAppointment } from './appointment-card.tsx'

type AfterCallProps = { last: ShownAppointment; slots: readonly Date[]; next: NextStep | null; line: string }

/** Below a customer's last call: what comes next in their project, or our apology with the next free times. */
export function AfterCall({ last, slots, next, line }: AfterCallProps) {
  if (last.isMissed) return <Apology slots={slots} />
  if (isUnfinished(last) || !next) return null
  return (
    <div className="grid gap-3 border-t border-line pt-4">
      <p>{line}</p>
      <LinkButton to={next.to} className="sm:justify-self-start">
        {next.label}
      </LinkButton>
    </div>
  )
}

const Apology = ({ slots }: { slots: readonly Date[] }) => (
  <Alert
    tone="wait"
    title="Te pedimos una disculpa"
    actions={slots.map((start) => (
      <LinkButton key={start.getTime()} to={slotPath('videocall', start)} variant="ghost">
        {dateTime(start)}
      </LinkButton>
    ))}
  >
    Entraste a tu llamada y nadie te atendió. La cancelamos para que no esperes más, y te llamamos.
    {slots.length > 0 && ' Estos horarios están libres:'}
  </Alert>
)
