import { Select } from '../../kit/form/field.tsx'
import { Form, Submit } from '../../kit/form/form.tsx'
import { municipalitiesOf, regionGroups } from '../../shared/places.ts'
import { Card } from '../../ui/card.tsx'
import type { DayStart } from '../day-start.ts'

type CardProps = { start: DayStart; isOwn?: boolean }

/** Where a technician's days begin: their own, or anybody's for the manager. */
export const DayStartCard = ({ start, isOwn = false }: CardProps) => (
  <Card id="salida" title={isOwn ? 'Tu salida' : 'Su salida'}>
    <Form intent="day-start" key={start.from}>
      <Select
        label={isOwn ? 'Salgo de' : 'Sale de'}
        name="startsFrom"
        optional
        placeholder="Sin decir"
        defaultValue={start.from}
        options={regionGroups.map(({ id, label }) => ({
          label,
          options: municipalitiesOf(id).map((one) => ({ value: one.slug, label: one.label })),
        }))}
        help={
          isOwn
            ? 'Así tu primera cita del día te dice cuánto camino hay y a qué hora salir. Si sales de más lejos, elige por dónde entras. Lo ven solo tú y la gerencia, y no cambia tus citas.'
            : 'Su primera cita del día le dice cuánto camino hay y a qué hora salir. No cambia los horarios que se ofrecen.'
        }
      />
      <Submit variant="ghost" className="sm:justify-self-start">
        Guardar salida
      </Submit>
    </Form>
  </Card>
)
