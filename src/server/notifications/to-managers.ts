import type { ListName } from '../../domain/appointment-list.ts'
import { appointmentPath } from '../../domain/appointment-path.ts'
import { longDateTime } from '../../domain/shared/format.ts'
import type { AppointmentLetters } from './jobs.ts'
import {
  type House,
  minute,
  performer,
  type Reader,
  reason,
  serviceName,
  type Told,
  when,
  zone,
} from './told.ts'
import { type Words, type Written, written } from './written.ts'

type Kind = AppointmentLetters['managers']
type ManagersLetter = { words: (told: Told) => Words; pageOf: (told: Told) => string }

const ofList = (list: ListName) => (told: Told) => appointmentPath(list, told)

const letters: Record<Kind, ManagersLetter> = {
  no_person: {
    words: (told) => ({
      subject: `Cita sin persona: ${moment(told)}`,
      heading: 'Una cita se quedó sin persona',
      paragraphs: ['Nadie puede tomarla a su hora. Elige a alguien o acuerda otro horario con el cliente.'],
      facts: [when(told), minute(told), zone(told)],
    }),
    pageOf: ({ id }) => `/admin/assignations/${id}`,
  },
  late_cancel: {
    words: (told) => ({
      subject: `Cancelación tardía: ${moment(told)}`,
      heading: `El cliente canceló tarde su ${serviceName(told)}`,
      paragraphs: ['Ya había pasado el límite para cancelar. El lugar quedó libre.'],
      facts: [when(told), minute(told), zone(told), performer(told), reason(told)],
    }),
    pageOf: ofList('done'),
  },
  nobody_came: {
    words: (told) => ({
      subject: `Nadie llegó: ${moment(told)}`,
      heading: `Un cliente dice que nadie llegó a su ${serviceName(told)}`,
      paragraphs: ['Llámale ahora y averigua qué pasó. Hay un pendiente urgente en tu inicio.'],
      facts: [when(told), minute(told), zone(told), performer(told)],
    }),
    pageOf: ofList('pending'),
  },
  analyst_missed: {
    words: (told) => ({
      subject: `Nadie atendió una videollamada: ${moment(told)}`,
      heading: 'Un cliente esperó en su videollamada y nadie llegó',
      paragraphs: [
        'La cancelamos, le pedimos una disculpa y le propusimos otros horarios. Llámale: hay un pendiente urgente en tu inicio.',
      ],
      facts: [when(told), minute(told), performer(told)],
    }),
    pageOf: ofList('done'),
  },
}

const moment = ({ startsAt }: Told) => longDateTime(startsAt)

/** Tells a manager what has to be seen to. */
export function letterToManager(kind: Kind, told: Told, reader: Reader, house: House): Written {
  const { words, pageOf } = letters[kind]
  const href = house.baseUrl + pageOf(told)
  return written(words(told), told, reader, house, { label: 'Abrir la cita', href })
}
