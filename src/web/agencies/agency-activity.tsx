import { clientStageLabels } from '../../domain/agencies/clients.ts'
import { money, relative } from '../../domain/shared/format.ts'
import type { AgencyEvent } from '../../server/agencies/activity.ts'
import { Card } from '../ui/card.tsx'
import { Timeline } from '../ui/timeline.tsx'

type AgencyActivityProps = { events: readonly AgencyEvent[]; now: Date }

/** What happened last to an agency's codes, clients and commissions. */
export function AgencyActivity({ events, now }: AgencyActivityProps) {
  const items = events.flatMap((event) => {
    const title = wordsOf(event)
    const note = [relative(event.at, now), event.ally].filter(Boolean).join(', ')
    return title ? [{ key: event.id, title, note }] : []
  })
  return (
    <Card title="Actividad">
      {items.length === 0 ? (
        <p className="text-[0.9375rem] text-mute">
          Aquí verás lo que pase con sus códigos, sus clientes y sus comisiones.
        </p>
      ) : (
        <Timeline items={items} />
      )}
    </Card>
  )
}

type Words = Record<string, (event: AgencyEvent) => string>

const someone = ({ subject }: AgencyEvent) => subject || 'Un cliente'
const stageOf = ({ toState }: AgencyEvent) =>
  clientStageLabels[toState as keyof typeof clientStageLabels] ?? toState ?? ''
const amountOf = ({ amount }: AgencyEvent) => money(amount ?? 0)

const ofCodes: Words = {
  create: ({ subject }) => `Código nuevo: ${subject}`,
  ask: ({ subject }) => `El código ${subject} espera el visto bueno de la gerencia`,
  approve: ({ subject }) => `La gerencia aprobó el código ${subject}`,
  refuse: ({ subject }) => `La gerencia rechazó el código ${subject}`,
  activate: ({ subject }) => `El código ${subject} quedó activo`,
  pause: ({ subject }) => `El código ${subject} quedó en pausa`,
  resume: ({ subject }) => `El código ${subject} volvió a quedar activo`,
  revoke: ({ subject }) => `El código ${subject} quedó revocado`,
  redeem: ({ subject }) => `Un cliente usó el código ${subject}`,
  exhaust: ({ subject }) => `El código ${subject} llegó a todos sus usos`,
  expire: ({ subject }) => `El código ${subject} venció`,
  giveBack: ({ subject }) => `El código ${subject} recuperó un uso`,
}
const ofClients: Words = {
  register: (event) => `${someone(event)}: registro nuevo`,
  join: (event) => `${someone(event)} ya tiene cuenta`,
  addCode: (event) => `${someone(event)} agregó un código`,
  attribute: (event) => `La gerencia asignó a ${someone(event)}`,
  stage: (event) => `${someone(event)} pasó a ${stageOf(event)}`,
  end: (event) => `${someone(event)} ya no es cliente de la concesionaria`,
  expire: () => 'Venció una invitación',
  withdraw: () => 'Se retiró una invitación',
}
const ofCommissions: Words = {
  earn: (event) => `Comisión de ${amountOf(event)} por la instalación de ${someone(event)}`,
  approve: (event) => `Comisión aprobada: ${amountOf(event)}`,
  adjust: (event) => `Ajuste de ${amountOf(event)}`,
}

const words: Record<AgencyEvent['about'], Words> = {
  code: ofCodes,
  client: ofClients,
  commission: ofCommissions,
  commission_payout: { pay: (event) => `Pago de comisiones: ${amountOf(event)}` },
  agency: { hand_over: () => 'Clientes y códigos pasaron a otra persona' },
}

const wordsOf = (event: AgencyEvent) => words[event.about][event.name]?.(event) ?? null
