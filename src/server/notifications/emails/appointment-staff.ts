import type { ListName } from '../../../domain/appointment-list.ts'
import { appointmentPath } from '../../../domain/appointment-path.ts'
import { longDateTime, time } from '../../../domain/shared/format.ts'
import type { AppointmentLetters } from '../jobs.ts'
import {
  formerTime,
  formerZone,
  type House,
  minute,
  place,
  type Reader,
  reason,
  serviceName,
  type Told,
  when,
} from '../told.ts'
import { type Words, type Written, written } from '../written.ts'

type Kind = AppointmentLetters['person']
/** Where the appointment can still be seen by whom it is told; null when it is theirs no more. */
type PersonsLetter = { words: (told: Told) => Words; list: ListName | null }

const takenOff: PersonsLetter = {
  words: (told) => ({
    subject: `Ya no llevas la cita del ${moment(told)}`,
    heading: `Ya no llevas esta ${serviceName(told)}`,
    paragraphs: ['Quedó libre ese rato de tu agenda. No tienes que hacer nada.'],
    facts: [when(told), minute(told)],
  }),
  list: null,
}

const letters: Record<Kind, PersonsLetter> = {
  assigned: {
    words: (told) => ({
      subject: `Tienes una cita: ${moment(told)}`,
      heading: `Tienes una ${serviceName(told)}`,
      paragraphs: ['Ya está en tu agenda.'],
      facts: [when(told), minute(told), place(told)],
    }),
    list: 'pending',
  },
  changed: {
    words: (told) => ({
      subject: `Cambió tu cita: ${moment(told)}`,
      heading: `Cambió una ${serviceName(told)} tuya`,
      paragraphs: ['Así queda ahora:'],
      facts: [when(told), minute(told), place(told), formerTime(told), formerZone(told)],
    }),
    list: 'pending',
  },
  cancelled: {
    words: (told) => ({
      subject: `Se canceló tu cita del ${moment(told)}`,
      heading: `Se canceló una ${serviceName(told)} tuya`,
      paragraphs: ['Quedó libre ese rato de tu agenda.'],
      facts: [when(told), minute(told), reason(told)],
    }),
    list: 'done',
  },
  no_person: takenOff,
  called_off: {
    words: (told) => ({
      subject: `Se suspendió tu cita del ${moment(told)}`,
      heading: `Se suspendió la ${serviceName(told)} que llevabas`,
      paragraphs: ['No tienes que seguir con ella.'],
      facts: [when(told), minute(told), reason(told)],
    }),
    list: 'done',
  },
  sheet_returned: {
    words: (told) => ({
      subject: `Completa tu reporte del ${moment(told)}`,
      heading: 'Te devolvimos un reporte',
      paragraphs: ['Corrige lo que te pedimos y vuelve a enviarlo: hasta entonces su cliente espera.'],
      facts: [when(told), told.returnReason === null ? null : ['Motivo', told.returnReason]],
    }),
    list: 'done',
  },
  claim_reopened: {
    words: (told) => ({
      subject: `Se reabrió tu cita del ${moment(told)}`,
      heading: `La ${serviceName(told)} que hiciste quedó registrada`,
      paragraphs: ['La gerencia la reabrió con lo que entregaste. Ahora revisan tu reporte.'],
      facts: [when(told), minute(told)],
    }),
    list: 'done',
  },
  claim_declined: {
    words: (told) => ({
      subject: `No se reabrió tu cita del ${moment(told)}`,
      heading: `No se reabrió la ${serviceName(told)} que hiciste`,
      paragraphs: [
        'Lo que entregaste sigue guardado con la cita. Si crees que hay un error, llama a la oficina.',
      ],
      facts: [when(told), told.claimRefusal === null ? null : ['Motivo', told.claimRefusal]],
    }),
    list: null,
  },
}

/** Of somebody taken off, when it was theirs; the time it has now is none of theirs. */
const moment = ({ startsAt }: Told) => longDateTime(startsAt)

/** Tells whoever carries an appointment out, or did; `theirs` is false for who was taken off by the change. */
export function letterToPerson(
  kind: Kind,
  told: Told & { theirs: boolean },
  reader: Reader,
  house: House,
): Written {
  const gone = kind === 'no_person' || (kind === 'changed' && !told.theirs)
  const { words, list } = gone ? takenOff : letters[kind]
  const shown = gone && told.was.startsAt ? { ...told, startsAt: told.was.startsAt } : told
  return written(words(shown), shown, reader, house, {
    label: list ? 'Abrir la cita' : 'Ver mi agenda',
    href: house.baseUrl + (list ? appointmentPath(list, told) : '/admin/appointments-pending'),
  })
}
