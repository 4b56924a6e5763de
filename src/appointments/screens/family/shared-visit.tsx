import { data } from 'react-router'
import { CleanFrame } from '../../../kit/frame/clean-frame.tsx'
import { Help } from '../../../kit/help.tsx'
import { useRefreshIn } from '../../../kit/refresh-in.ts'
import { refusalsAsResponses } from '../../../kit/refusals-as-responses.ts'
import { requestOf } from '../../../kit/request.ts'
import { currentStaffing } from '../../../scheduling/roster.ts'
import { Card } from '../../../ui/card.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { serviceFacts } from '../../rules/appointment.ts'
import { isUnanswered } from '../../rules/nobody-came.ts'
import { sharedVisitPath } from '../../rules/paths.ts'
import { runningLateWords } from '../../rules/running-late.ts'
import { sharedVisit } from '../../shared-visit.ts'
import { VisitBadge, When, WhoComes } from '../appointment-card.tsx'
import { arrivalOfShown } from '../service-server.ts'
import type { Route } from './+types/shared-visit.ts'

/** What the holder of a link sees of a visit: who comes and when, and nothing of where, or to whom. */
export const loader = ({ context, params: { secret } }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const { db, address, now } = requestOf(context).caller
    const found = await sharedVisit(db, { secret, address }, now)
    if (!found) return data(null, { status: 404 })
    const { whose, ...visit } = found
    const [{ settings }, arrival] = await Promise.all([
      currentStaffing(db),
      arrivalOfShown(context, { ...visit, id: whose.id }, now, { id: whose.customerId }),
    ])
    const { name, runningLate } = visit
    const late = runningLate && runningLateWords(runningLate).replace(/^Tu técnico/, name ?? someone)
    return data({ ...visit, outcome: null, arrival, late, window: settings.arrivalWindowMinutes, now })
  })

const someone = 'El técnico'

type Visit = NonNullable<Route.ComponentProps['loaderData']>

export default function SharedVisit({ loaderData, params }: Route.ComponentProps) {
  return (
    <CleanFrame>{loaderData ? <Shown visit={loaderData} secret={params.secret} /> : <Ended />}</CleanFrame>
  )
}

const refreshSeconds = 60

function Shown({ visit, secret }: { visit: Visit; secret: string }) {
  const { arrival, name, now, service, who, window } = visit
  // Where there is an arrival, its words ask again.
  useRefreshIn(arrival ? null : refreshSeconds * 1_000)
  const line = lineOf(visit)
  return (
    <>
      <Card>
        <PageHeader
          title={serviceFacts[service].label}
          actions={
            // A phone stretches what stands here.
            <span>
              <VisitBadge of={visit} />
            </span>
          }
        />
        {line && <p className="text-lg/snug font-semibold">{line}</p>}
        <When appointment={visit} window={window} now={now} />
        {name && who && (
          <WhoComes
            label="Llega"
            name={name}
            who={who}
            photo={who.photoTag && `${sharedVisitPath(secret)}/foto?${who.photoTag}`}
          />
        )}
        <p className="border-t border-line pt-4 text-sm text-mute">
          Esta página se actualiza sola y termina con la visita. Si llega alguien más, no abras y llámanos.
        </p>
      </Card>
      <Card title="¿Dudas? Llámanos o escríbenos">
        <Help about="Hola, es sobre una visita que compartieron conmigo" />
      </Card>
      <noscript>
        <meta httpEquiv="refresh" content={String(refreshSeconds)} />
      </noscript>
    </>
  )
}

type Told = Pick<Visit, 'arrival' | 'late' | 'missed' | 'name' | 'state'>

/** What happens now, in one sentence; null where day and hour say it. */
function lineOf({ arrival, late, missed, name, state }: Told): string | null {
  const who = name ?? someone
  if (isUnanswered(missed)) return 'Estamos revisando por qué no ha llegado nadie.'
  if (late && !arrival) return late
  if (state === 'requested') return 'En cuanto sepamos quién llega, aparece aquí.'
  if (state === 'en_route') return `${who} va en camino.`
  if (state === 'in_progress') return `${who} ya está ahí.`
  if (state === 'paused') return `${who} hizo una pausa y continúa en un momento.`
  return null
}

/** The same for a link that nobody ever made: whether there was a visit is nobody's to learn. */
const Ended = () => (
  <Card className="gap-5">
    <PageHeader
      title="Este enlace ya terminó"
      subtitle="Se acaba con la visita, o antes si cambia de día o dejan de compartirlo. Si lo necesitas, pide otro a quien te lo mandó."
    />
    <Help about="Hola, abrí un enlace de una visita que ya terminó" />
  </Card>
)
