import { Checkbox, Field } from '../../kit/form/field.tsx'
import { Form, Submit } from '../../kit/form/form.tsx'
import { counted, dateTime, duration, minuteTime, relative, shortDate } from '../../shared/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card, Details } from '../../ui/card.tsx'
import type { OwnCalendar, StandingCalendar } from '../busy-calendars.ts'
import { calendarFaults, calendarStates, mostCalendars } from '../rules/busy-calendar.ts'

type Own = { own: readonly OwnCalendar[]; now: Date }

/** The calendars of their own whose busy hours keep a person from being offered. */
export const BusyCalendarsCard = ({ own, now }: Own) => (
  <Card id="ocupado" title="Horas ocupadas">
    <p className="text-[0.9375rem] text-mute">
      Pega la dirección secreta de tu calendario. Solo leemos a qué horas estás ocupado, para no ofrecerlas;
      nunca el título.
    </p>
    <ul className="grid divide-y divide-line empty:hidden">
      {own.map((one) => (
        <OwnRow key={one.id} one={one} now={now} />
      ))}
    </ul>
    {own.length < mostCalendars && (
      <Form intent="busy-add" key={own.length}>
        <Field
          label="Dirección secreta de tu calendario"
          name="address"
          inputMode="url"
          autoComplete="off"
          maxLength={1000}
          help="En Google: Configuración, tu calendario, «Dirección secreta en formato iCal». También de Outlook o iCloud."
        />
        <WholeDays isOn={false} />
        <Submit className="sm:justify-self-start">Conectar calendario</Submit>
      </Form>
    )}
  </Card>
)

const WholeDays = ({ isOn }: { isOn: boolean }) => (
  <Checkbox
    label="Los de todo el día me bloquean"
    name="allDay"
    defaultChecked={isOn}
    help="No lo marques si ahí tienes cumpleaños o días festivos."
  />
)

function OwnRow({ one, now }: { one: OwnCalendar; now: Date }) {
  const { ending, fault, host, hours, readAt, state, unread } = one
  const minutes = hours.reduce((sum, { end, start }) => sum + end - start, 0)
  const notes = [
    fault && `${calendarFaults[fault]}.`,
    fault && readAt && 'Seguimos con lo último que leímos.',
    unread > 0 && `No entendimos ${counted(unread, 'cita', 'citas')}: esas horas se siguen ofreciendo.`,
  ]
  return (
    <li className="grid gap-2 py-3 text-[0.9375rem] first:pt-0">
      <p className="text-base font-semibold wrap-anywhere">
        {host}, termina en {ending}
      </p>
      <Standing one={one} now={now} more={state === 'ok' && ` · ${duration(minutes)} ocupadas en 7 días`} />
      {notes
        .filter((note) => note)
        .map((note) => (
          <p key={String(note)}>{note}</p>
        ))}
      {hours.length > 0 && (
        <Details summary="Ver horas ocupadas">
          <ul>
            {hours.map(({ end, start }) => (
              <li key={start}>
                {shortDate(new Date(start * 60_000))}, de {minuteTime(start)} a {minuteTime(end)}
              </li>
            ))}
          </ul>
        </Details>
      )}
      <ChangeOrRemove one={one} />
    </li>
  )
}

const ChangeOrRemove = ({ one }: { one: OwnCalendar }) => (
  <Details summary="Cambiar o quitar">
    <Form intent="busy-read" target={{ calendarId: one.id }}>
      <WholeDays isOn={one.allDay} />
      <Submit variant="ghost" className="sm:justify-self-start">
        Guardar y leer otra vez
      </Submit>
    </Form>
    <Form intent="busy-remove" target={{ calendarId: one.id }}>
      <Submit variant="destructive" className="sm:justify-self-start">
        Quitar calendario
      </Submit>
    </Form>
  </Details>
)

type StandingProps = { one: Omit<StandingCalendar, 'id'>; now: Date; more?: string | false }

/** Nothing is freed in silence: since when it does not answer, else when it was read. */
const Standing = ({ more, now, one: { failingSince, readAt, state } }: StandingProps) => (
  <p>
    <Badge tone={calendarStates[state].tone}>{calendarStates[state].label}</Badge>{' '}
    {failingSince && state !== 'ok'
      ? `No responde desde el ${dateTime(failingSince)}`
      : readAt && `Leído ${relative(readAt, now)}`}
    {more}
  </p>
)

type TheirsProps = { calendars: readonly StandingCalendar[]; now: Date }

/** How a person's calendars stand, for the manager: neither which they are nor what is in them. */
export const TheirCalendars = ({ calendars, now }: TheirsProps) =>
  calendars.length > 0 && (
    <Card title="Horas ocupadas de sus calendarios">
      {calendars.map((one) => (
        <Standing key={one.id} one={one} now={now} />
      ))}
    </Card>
  )
