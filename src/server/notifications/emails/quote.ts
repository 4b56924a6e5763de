import { benefitOf } from '../../../domain/benefit-line.ts'
import { homeLine } from '../../../domain/home.ts'
import { longDate, money } from '../../../domain/shared/format.ts'
import type { AboutQuote } from '../jobs.ts'
import type { ToldQuote } from '../quote-letters.ts'
import type { Fact } from '../told.ts'
import type { Words } from '../written.ts'

type To<Reader> = Extract<AboutQuote, { to: Reader }>['letter']
type Said = (quote: ToldQuote) => Words

const total = ({ acceptedTotal, highestTotal, lowestTotal }: ToldQuote): Fact => [
  'Total',
  acceptedTotal !== null
    ? money(acceptedTotal)
    : lowestTotal === highestTotal
      ? money(lowestTotal)
      : `De ${money(lowestTotal)} a ${money(highestTotal)}`,
]
const deposit = ({ depositAmount }: ToldQuote): Fact | null =>
  depositAmount ? ['Anticipo', money(depositAmount)] : null
const until = ({ validUntil }: ToldQuote): Fact | null =>
  validUntil && ['Puedes aceptarla hasta', `el ${longDate(validUntil)}`]
const why = ({ reason }: ToldQuote): Fact | null => (reason ? ['Motivo', reason] : null)
const said = ({ reason }: ToldQuote): Fact | null => (reason ? ['Escribió', reason] : null)
const whose = ({ addressee }: ToldQuote): Fact | null => (addressee ? ['Cliente', addressee] : null)
const code = ({ content }: ToldQuote): Fact | null => {
  const line = benefitOf(content)
  return line && ['Descuento', line.description]
}
const which = ({ revision }: ToldQuote): Fact => ['Versión', String(revision)]

/** What letters to its customer say of a quote. */
export const wordsToCustomer: Record<To<'customer'>, Said> = {
  quote_sent: (quote) => {
    if (quote.kind === 'extra_work')
      return {
        subject: 'Hay trabajo adicional por aceptar',
        heading: 'Revisa el trabajo adicional',
        paragraphs: [
          'Tu técnico encontró algo que no estaba en tu cotización. Sin tu aceptación no se hace ni se cobra.',
        ],
        facts: [total(quote), until(quote)],
      }
    const isNew = quote.revision > 1
    return {
      subject: isNew ? 'Tu cotización tiene una versión nueva' : 'Tu cotización está lista',
      heading: isNew ? 'Hay una versión nueva de tu cotización' : 'Tu cotización está lista',
      paragraphs: [
        isNew
          ? 'Te mostramos qué cambió, renglón por renglón. Acéptala en línea cuando quieras.'
          : 'Compara las opciones y acéptala en línea, o dinos qué te gustaría cambiar.',
      ],
      facts: [total(quote), code(quote), until(quote), ...(isNew ? [which(quote)] : [])],
    }
  },
  quote_reminder_3d: (quote) => reminder(quote, 'Te quedan 3 días para aceptar tu cotización'),
  quote_reminder_1d: (quote) => reminder(quote, 'Mañana vence tu cotización'),
  quote_accepted: (quote) => ({
    subject: 'Aceptaste tu cotización',
    heading: 'Aceptaste tu cotización',
    paragraphs: [
      quote.depositAmount
        ? 'Sigue tu anticipo. En cuanto lo confirmemos podrás agendar tu instalación.'
        : 'Gracias. Aquí está lo que acordamos.',
    ],
    facts: [total(quote), deposit(quote)],
  }),
  quote_expired: (quote) => ({
    subject: 'Tu cotización venció',
    heading: 'Tu cotización venció',
    paragraphs: ['Si todavía te interesa, pide otra con un toque y te la preparamos.'],
    facts: [total(quote)],
  }),
  quote_withdrawn: (quote) => ({
    subject: 'Retiramos tu cotización',
    heading: 'Retiramos tu cotización',
    paragraphs: ['Ya no se puede aceptar. Te avisamos en cuanto tengas otra.'],
    facts: [why(quote)],
  }),
  quote_cancelled: (quote) => ({
    subject: 'Tu cotización se canceló',
    heading: 'Tu cotización se canceló',
    paragraphs: ['Si pagaste algo, revisamos tu reembolso y te avisamos por este medio.'],
    facts: [why(quote)],
  }),
  quote_lapsed: (quote) => ({
    subject: 'Tu cotización terminó sin su anticipo',
    heading: 'Tu cotización terminó sin su anticipo',
    paragraphs: ['No recibimos tu anticipo a tiempo. Pide otra con un toque y te la preparamos.'],
    facts: [total(quote), deposit(quote)],
  }),
  home_approved: ({ home, moved, movedWhy }) => ({
    subject: 'Tu instalación será en otro domicilio',
    heading: 'Tu instalación será en otro domicilio',
    paragraphs: [
      moved
        ? 'Tu cotización sirve igual. Si tú no lo pediste, escríbenos hoy mismo.'
        : 'Primero te cotizamos ahí; lo que pagaste se queda en tu cuenta. Si tú no lo pediste, escríbenos hoy mismo.',
    ],
    facts: [home && ['Domicilio', homeLine(home)], movedWhy ? ['Motivo', movedWhy] : null],
  }),
}

/** A day and three days before the end, in the evening: the last day is told by its name. */
const reminder = (quote: ToldQuote, subject: string): Words => ({
  subject,
  heading: subject,
  paragraphs: ['Acéptala en línea, o dinos qué te gustaría cambiar.'],
  facts: [total(quote), until(quote)],
})

/** What letters to whoever made it say of a quote. */
export const wordsToMaker: Record<To<'maker'>, Said> = {
  quote_accepted: (quote) => ({
    subject: 'Aceptaron una cotización',
    heading: 'El cliente aceptó su cotización',
    paragraphs: [
      quote.kind === 'extra_work'
        ? 'El trabajo adicional ya se puede hacer.'
        : quote.depositAmount
          ? 'Le pedimos su anticipo por correo.'
          : 'No lleva anticipo.',
    ],
    facts: [whose(quote), which(quote), total(quote), deposit(quote)],
  }),
  quote_rejected: (quote) => ({
    subject: 'Rechazaron una cotización',
    heading: 'El cliente rechazó su cotización',
    paragraphs: ['Llámale y averigua qué le conviene. Hay un pendiente en tu inicio.'],
    facts: [whose(quote), which(quote), why(quote)],
  }),
  quote_changes_requested: (quote) => ({
    subject: 'Piden cambios a una cotización',
    heading: 'El cliente pide cambios a su cotización',
    paragraphs: ['Haz una versión nueva y envíasela.'],
    facts: [whose(quote), which(quote), said(quote)],
  }),
  quote_cancelled: (quote) => ({
    subject: 'Se canceló una cotización aceptada',
    heading: 'Se canceló una cotización aceptada',
    paragraphs: ['Si había instalación apartada, se liberó. Si pagó algo, hay un reembolso por revisar.'],
    facts: [whose(quote), which(quote), why(quote)],
  }),
  quote_renewal_asked: (quote) => ({
    subject: 'Piden otra cotización',
    heading: 'El cliente pide otra cotización',
    paragraphs: ['La anterior ya no se puede aceptar. Haz una versión nueva y envíasela.'],
    facts: [whose(quote), which(quote)],
  }),
  quote_code_used: (quote) => ({
    subject: 'Tu cliente usó un código',
    heading: 'Tu cliente usó un código',
    paragraphs: ['Le enviamos por ti la misma cotización con el descuento. No tienes que hacer nada.'],
    facts: [whose(quote), code(quote), which(quote), total(quote)],
  }),
}
