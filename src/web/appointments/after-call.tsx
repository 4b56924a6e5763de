import type { NextStep } from '../../domain/project.ts'
import { slotPath } from '../agenda/paths.ts'
import { dateTime } from '../format.ts'
import { Alert } from '../ui/alert.tsx'
import { LinkButton } from '../ui/button.tsx'

type AfterCallProps = { next: NextStep | null; line: string }

/** Below a call that took place: what comes next in its customer's project. */
export const AfterCall = ({ next, line }: AfterCallProps) => (
  <div className="grid gap-3 border-t border-line pt-4">
    <p>{line}</p>
    {next && (
      <LinkButton to={next.to} className="sm:justify-self-start">
        {next.label}
      </LinkButton>
    )}
  </div>
)

/** To a customer who came to their call when nobody did: our apology, and the next free times, each one tap away. */
export const MissedCall = ({ slots }: { slots: readonly Date[] }) => (
  <section aria-label="Te pedimos una disculpa" className="grid gap-3">
    <div role="alert">
      <Alert tone="wait" title="Te pedimos una disculpa">
        Entraste a tu llamada y nadie te atendió. La cancelamos para que no esperes más, y te llamamos.
        {slots.length > 0 && ' Estos horarios están libres:'}
      </Alert>
    </div>
    <div className="grid gap-3 sm:grid-cols-3">
      {slots.map((start) => (
        <LinkButton key={start.getTime()} to={slotPath('videocall', start)} variant="ghost">
          {dateTime(start)}
        </LinkButton>
      ))}
    </div>
  </section>
)
