import { dateTime } from '../../domain/shared/format.ts'
import type { PastEvent } from '../../server/platform/database/queries.ts'
import { Card } from '../ui/card.tsx'
import { Timeline } from '../ui/timeline.tsx'

/** What happened to a quote, the latest first. */
export function DeskHistory({ trail }: { trail: readonly PastEvent[] }) {
  const known = trail.filter(({ name }) => name in titles)
  if (known.length === 0) return null
  return (
    <Card title="Historia">
      <Timeline
        items={known.map((event) => ({
          key: event.id,
          title: titles[event.name],
          children: event.reason && <p className="wrap-anywhere">{event.reason}</p>,
          note: `${dateTime(event.at)} · ${event.actor ?? 'El sistema'}`,
        }))}
      />
    </Card>
  )
}

const titles: Record<string, string> = {
  begin: 'Empezó el borrador',
  edit: 'Se guardó el borrador',
  benefit: 'Se agregó el descuento de un código',
  send: 'Se envió',
  view: 'El cliente la abrió',
  accept: 'El cliente la aceptó',
  reject: 'El cliente la rechazó',
  askChanges: 'El cliente pidió cambios',
  askAnew: 'El cliente pidió otra',
  withdraw: 'Se retiró',
  expire: 'Venció',
  supersede: 'Se envió otra versión',
  improve: 'El cliente usó un código: se envió con su descuento',
  replace: 'El cliente aceptó otra versión',
  cancel: 'Se canceló',
  lapse: 'Terminó sin su anticipo',
  moveHome: 'Se aprobó otro domicilio por el mismo precio',
  leaveHome: 'Se aprobó otro domicilio: se cotiza de nuevo',
}
