import { Form as SearchForm } from 'react-router'
import { clockText, clockWords, dateTime, localDay, wallTime } from '../../domain/shared/format.ts'
import type { AppointmentDetail } from '../../server/appointments/detail.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { Details } from '../ui/details.tsx'
import { Field } from '../ui/field.tsx'
import { Select } from '../ui/select.tsx'

type WhenCardProps = { appointment: AppointmentDetail; wanted: Date; starts: readonly number[] }

/** Another day or hour to look at: who could take it then. Nothing changes until somebody is chosen below. */
export function WhenCard({ appointment, wanted, starts }: WhenCardProps) {
  const moves = wanted.getTime() !== appointment.startsAt.getTime()
  return (
    <div className="grid gap-4">
      <Details summary="Cambiar el día o la hora" open={moves}>
        <SearchForm
          key={wanted.getTime()}
          method="get"
          className="grid items-end gap-3 sm:grid-cols-2 lg:grid-cols-[12rem_12rem_auto_1fr]"
        >
          <Field label="Día" name="dia" type="date" defaultValue={localDay(wanted)} className="min-w-0" />
          <Select
            label="Hora"
            name="hora"
            options={starts.map((minutes) => ({ value: clockText(minutes), label: clockWords(minutes) }))}
            defaultValue={wallTime(wanted)}
          />
          <Button type="submit" variant="ghost" className="sm:max-lg:col-span-2">
            Ver quién puede
          </Button>
        </SearchForm>
      </Details>
      {moves && (
        <Alert tone="info" title={`De ${dateTime(appointment.startsAt)} a ${dateTime(wanted)}`}>
          Al guardar le avisamos al cliente de su nueva hora.
        </Alert>
      )}
    </div>
  )
}
