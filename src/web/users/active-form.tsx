import { dateTime } from '../../domain/shared/format.ts'
import { Card } from '../ui/card.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import { Timeline } from '../ui/timeline.tsx'
import { AffectedAppointments } from './affected.tsx'

type ActiveFormProps = {
  version: number
  active: boolean
  own: boolean
  /** Why it can't be deactivated now. */
  barred: string | null
}

/** Whether somebody may come in at all. */
export function ActiveForm({ version, active, own, barred }: ActiveFormProps) {
  return (
    <Card title="Acceso">
      <p className="text-mute">
        {active
          ? 'Su cuenta está activa. Al desactivarla se cierran sus sesiones y ya no puede entrar; su historial se conserva.'
          : 'Su cuenta está inactiva: no puede entrar ni recibir citas.'}
      </p>
      {active && barred ? (
        <p>{barred}</p>
      ) : (
        <Form intent="active">
          <input type="hidden" name="version" value={version} />
          <input type="hidden" name="active" value={active ? 'no' : 'yes'} />
          {own && <Checkbox label="Entiendo que pierdo el acceso a mi cuenta" name="confirmed" value="yes" />}
          <AffectedAppointments />
          <Submit variant={active ? 'destructive' : 'primary'} className="sm:justify-self-start">
            {active ? 'Desactivar cuenta' : 'Activar cuenta'}
          </Submit>
        </Form>
      )}
    </Card>
  )
}

type DataReadsCardProps = { reads: readonly { id: number; at: Date; what: string; who: string }[] }

/** Who of the team read a customer's fiscal data and invoices, and when. */
export function DataReadsCard({ reads }: DataReadsCardProps) {
  return (
    <Card title="Quién leyó sus datos fiscales">
      {reads.length === 0 ? (
        <p className="text-mute">Nadie del equipo los ha leído.</p>
      ) : (
        <>
          <p className="text-[0.9375rem] text-mute">
            Las últimas 50 lecturas, las repetidas en diez minutos como una. La persona también las ve en «Mis
            datos», por puesto.
          </p>
          <Timeline
            items={reads.map(({ at, id, what, who }) => ({
              ...{ key: id, title: what, note: `${dateTime(at)} · ${who}` },
            }))}
          />
        </>
      )}
    </Card>
  )
}
