import { dateTime } from '../../domain/shared/format.ts'
import { Alert } from '../ui/alert.tsx'
import { LinkButton } from '../ui/button.tsx'
import { agendaPageOf, slotPath } from './agenda-paths.ts'

/** Below a call that took place: what comes next in its customer's project. The way there is the page's next action. */
export const AfterCall = ({ line }: { line: string }) => <p className="border-t border-line pt-4">{line}</p>

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

/** The same at home, shorter: the free times are a tap away. */
export const MissedCallAtHome = () => (
  <Alert
    tone="wait"
    title="Te pedimos una disculpa"
    actions={
      <LinkButton variant="ghost" to={agendaPageOf.videocall}>
        Ver horarios libres
      </LinkButton>
    }
  >
    Entraste a tu llamada y nadie te atendió. La cancelamos, y te llamamos.
  </Alert>
)
