import { localDate, toMinutes } from '../../../domain/calendar.ts'
import type { Service } from '../../../domain/services.ts'
import { longDate, longDateTime, theTime } from '../../../domain/shared/format.ts'
import { servicePages } from '../../calendar/entries.ts'
import type { AppointmentLetters } from '../jobs.ts'
import {
  formerTime,
  type House,
  hour,
  movedInTime,
  named,
  note,
  performer,
  place,
  type Reader,
  reasonToCustomer,
  serviceName,
  type Told,
  when,
} from '../told.ts'
import { type Words, type Written, written } from '../written.ts'

type Kind = AppointmentLetters['customer']

const words: Record<Kind, (told: Told, house: House) => Words> = {
  booked: (told, house) => ({
    subject: `Tu ${serviceName(told)} quedó apartada`,
    heading: `Tu ${serviceName(told)} quedó apartada`,
    paragraphs: [
      told.performer === null
        ? 'Te avisamos en cuanto sepamos quién te atiende.'
        : 'Si hay algún cambio, te avisamos por este medio.',
    ],
    facts: [performer(told), when(told), hour(told, house), place(told)],
  }),
  assigned: (told, house) => ({
    subject: `Ya sabemos quién te atiende en tu ${serviceName(told)}`,
    heading: `${named(told)} te atiende en tu ${serviceName(told)}`,
    paragraphs: ['Si hay algún cambio, te avisamos por este medio.'],
    facts: [performer(told), when(told), hour(told, house), place(told)],
  }),
  changed: (told, house) => ({
    subject: movedInTime(told)
      ? `Tu ${serviceName(told)} cambió de horario`
      : `Tu ${serviceName(told)} cambió`,
    heading: movedInTime(told)
      ? `Tu ${serviceName(told)} tiene un horario nuevo`
      : `Cambió tu ${serviceName(told)}`,
    paragraphs: [
      told.performer === null ? 'Te avisamos en cuanto sepamos quién te atiende.' : 'Así queda ahora:',
    ],
    facts: [performer(told), when(told), hour(told, house), place(told), formerTime(told)],
  }),
  cancelled: (told, house) => ({
    subject: `Tu ${serviceName(told)} se canceló`,
    heading: `Tu ${serviceName(told)} se canceló`,
    paragraphs: ['Ya no tienes que esperar a nadie. Puedes agendar otra cuando quieras.'],
    facts: [when(told), hour(told, house), reasonToCustomer(told)],
  }),
  on_the_way: (told) => ({
    subject: `Vamos en camino a tu ${serviceName(told)}`,
    heading: `${named(told)} va en camino`,
    paragraphs: ['Ten a la mano tu recibo de luz y deja libre el paso a tu medidor y a tu estacionamiento.'],
    facts: [performer(told), place(told)],
  }),
  no_person: (told, house) => ({
    subject: `Buscamos quién te atienda en tu ${serviceName(told)}`,
    heading: 'Buscamos quién te atienda',
    paragraphs: [
      `La persona que tenía tu ${serviceName(told)} ya no puede a esa hora. Buscamos a alguien más y te avisamos en cuanto lo sepamos: no tienes que hacer nada.`,
      'Si prefieres otro día, escríbenos.',
    ],
    facts: [when(told), hour(told, house)],
  }),
  let_go: (told, house) => ({
    subject: `Tu ${serviceName(told)} se canceló`,
    heading: `Tu ${serviceName(told)} se canceló`,
    paragraphs: [
      'Como no confirmaste tu correo a tiempo, liberamos tu lugar.',
      'Confirma tu correo en tu cuenta y agenda otra vez cuando quieras.',
    ],
    facts: [when(told), hour(told, house)],
  }),
  called_off: (told, house) => ({
    subject: `Hoy no pudimos hacer tu ${serviceName(told)}`,
    heading: `No pudimos hacer tu ${serviceName(told)}`,
    paragraphs: ['Lo sentimos. Elige otro horario en tu cuenta, o escríbenos y lo buscamos contigo.'],
    facts: [when(told), hour(told, house), reasonToCustomer(told)],
  }),
  analyst_missed: (told, house) => ({
    subject: 'Te pedimos una disculpa: nadie llegó a tu asesoría',
    heading: 'Te pedimos una disculpa',
    paragraphs: [
      'Entraste a tu asesoría y nadie te atendió. No debió pasar, y la cancelamos para que no esperes más.',
      told.slots?.length
        ? 'Elige otro horario con un toque, o uno distinto en tu cuenta. También te llamamos para disculparnos.'
        : 'Te llamamos para disculparnos y acordar otro horario.',
    ],
    facts: [when(told), hour(told, house)],
    links: (told.slots ?? []).map((start) => ({
      label: longDateTime(start),
      href: house.baseUrl + slotPath(start),
    })),
  }),
  reminder_24h: (told, house) => ({
    subject: `Recordatorio: tu ${serviceName(told)} del ${when(told)[1]}`,
    heading: `Te recordamos tu ${serviceName(told)}`,
    paragraphs: [
      told.performer === null
        ? 'Pronto te decimos quién te atiende. Si no puedes ese día, avísanos cuanto antes.'
        : 'Si no puedes ese día, avísanos cuanto antes.',
    ],
    facts: [performer(told), when(told), hour(told, house), place(told)],
  }),
  // It may leave the evening before, and so names the day.
  reminder_2h: (told, house) => ({
    subject: `Tu ${serviceName(told)} es el ${when(told)[1]}, a ${theTime(told.startsAt)}`,
    heading: `Ya se acerca tu ${serviceName(told)}`,
    paragraphs: ['Si algo cambió de tu lado, avísanos ahora.'],
    facts: [performer(told), when(told), hour(told, house), place(told)],
  }),
  finished: (told, house) => ({
    subject: `Tu ${serviceName(told)} quedó lista`,
    heading: `Tu ${serviceName(told)} quedó lista`,
    ...(told.service === 'installation'
      ? {
          paragraphs: [
            'Tu cargador ya funciona. Aquí están tu documento de entrega, con las fotos y las pruebas, y hasta cuándo dura tu garantía.',
            'Si algo falla, repórtalo desde tu cuenta y vamos.',
          ],
          links: [
            { label: 'Abrir mi documento de entrega', href: `${house.baseUrl}/handover/${told.id}.pdf` },
          ],
        }
      : {
          paragraphs: [
            'Ahora nos toca a nosotros: revisamos lo que encontró tu técnico y te decimos qué sigue. No tienes que hacer nada.',
          ],
        }),
    facts: [performer(told), when(told), place(told)],
  }),
  not_possible: (told, house) => ({
    subject: `No fue posible hacer tu ${serviceName(told)}`,
    heading: `No fue posible hacer tu ${serviceName(told)}`,
    paragraphs: [
      'Lo sentimos. Te llamamos para ver contigo qué falta y cómo seguimos.',
      'Si ya está resuelto, agenda otra desde ahora.',
    ],
    facts: [when(told), performer(told), reasonToCustomer(told), note(told)],
    links: [again(told, house)],
  }),
  half_done: (told, house) => ({
    subject: `Tu ${serviceName(told)} quedó a medias`,
    heading: `Tu ${serviceName(told)} quedó a medias`,
    paragraphs: [
      'Falta una parte para terminar. Te llamamos para acordar cuándo seguimos.',
      'Si prefieres, elige tú el horario desde ahora.',
    ],
    facts: [when(told), performer(told), reasonToCustomer(told), note(told)],
    links: [again(told, house)],
  }),
  no_show: (told, house) => ({
    subject: `No pudimos encontrarte en tu ${serviceName(told)}`,
    heading: 'No pudimos encontrarte',
    paragraphs: [
      told.service === 'videocall'
        ? 'Te esperamos en tu asesoría, te llamamos y no pudimos hablar contigo.'
        : 'Fuimos a tu domicilio a la hora acordada, te llamamos y no pudimos encontrarte.',
      'No pasa nada: elige otro horario. Si crees que es un error, escríbenos y lo revisamos.',
    ],
    facts: [when(told), hour(told, house), note(told)],
    links: [again(told, house)],
  }),
  nobody_came: (told, house) => ({
    subject: `Ya sabemos que nadie llegó a tu ${serviceName(told)}`,
    heading: 'Te pedimos una disculpa: nadie llegó',
    paragraphs: [
      'No debió pasar. La gerencia ya lo sabe y te llama para acordar contigo qué sigue: no tienes que hacer nada.',
    ],
    facts: [when(told), hour(told, house)],
  }),
  fault_received: (told) => ({
    subject: 'Recibimos tu reporte de falla',
    heading: 'Recibimos tu reporte de falla',
    paragraphs: [
      'Te llamamos para ver qué pasa. Si prefieres, agenda desde ahora la visita de garantía en tu cuenta: no tiene costo.',
      'Mientras tanto no uses el cargador. Si huele a quemado o ves chispas, baja el interruptor «Cargador».',
    ],
    facts: [['Instalado el', longDate(told.startsAt)], place(told)],
  }),
}

const agendas: Record<Service, string> = {
  technical_visit: '/agenda-technics-visit',
  installation: '/agenda-installation',
  videocall: '/agenda-videocall',
}
const again = ({ service }: Told, { baseUrl }: House) => ({
  label: 'Elegir otro horario',
  href: baseUrl + agendas[service],
})

/** A slot of the agenda of calls, chosen: as the agenda itself names one. */
const slotPath = (start: Date) =>
  `${agendas.videocall}?dia=${localDate(toMinutes(start))}&hora=${encodeURIComponent(start.toISOString())}`

/** A customer's letter. To an unverified e-mail it carries no name, address or phone. */
export function letterToCustomer(kind: Kind, told: Told, reader: Reader, house: House): Written {
  const said = words[kind](told, house)
  const withheld = reader.emailVerified ? [] : withheldBecause(kind, told)
  return written({ ...said, paragraphs: [...said.paragraphs, ...withheld] }, told, reader, house, {
    label: 'Ver mi cita',
    href: house.baseUrl + servicePages[told.service],
  })
}

const expected: readonly Kind[] = ['booked', 'assigned', 'changed', 'reminder_24h']

/** What an unverified reader is told besides: why so little, and what happens to the appointment. */
const withheldBecause = (kind: Kind, { keptUntil }: Told) => [
  'Por tu seguridad, los demás datos solo se ven en tu cuenta.',
  ...(expected.includes(kind)
    ? [
        `Confirma tu correo desde tu cuenta antes del ${longDate(keptUntil)} a ${theTime(keptUntil)} Si sigue sin confirmar, tu cita se libera.`,
      ]
    : []),
]
