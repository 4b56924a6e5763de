import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../platform/database/client.ts'
import { listed } from '../../platform/database/lists.ts'
import { users } from '../../platform/database/schema/accounts.ts'
import { quotes } from '../../platform/database/schema/payments.ts'
import type { QuoteEmailJob } from '../../platform/jobs/emails.ts'
import { isRequoteAsked } from '../../projects/project-money.ts'
import { type Home, homeLine } from '../../projects/rules/address.ts'
import { homeEvents, isOpenQuote, type QuoteState, quoteStateBy } from '../../quotes/rules/quote.ts'
import { timeLeftWords } from '../../quotes/rules/reminder.ts'
import { benefitOf } from '../../quotes/rules/totals.ts'
import { longDate, money } from '../../shared/format.ts'
import {
  activeCustomer,
  chargesFacts,
  type Email,
  type EmailBody,
  type EmailsOf,
  type Fact,
  openChargesOf,
  proposedRefundOf,
  readySince,
  recipient,
  refundFacts,
  refundSentence,
  staffOrManagers,
  toBook,
} from '../email.ts'

type QuoteFacts = NonNullable<Awaited<ReturnType<typeof loadQuote>>>
type QuoteEmail = Email<QuoteEmailJob, QuoteFacts>
type Rule = (quote: QuoteFacts, now: Date) => boolean

const isOpen: Rule = (quote, now) => isOpenQuote(quoteStateBy(quote, now))
const is =
  (state: QuoteState): Rule =>
  (quote) =>
    quote.state === state

/** The e-mails about a quote: to its customer, and to the user who sent it. */
export const quoteEmails = {
  customer: {
    quote_sent: toCustomer(isOpen, (quote) => {
      if (quote.kind === 'extra_work')
        return {
          subject: 'Hay trabajo adicional por aceptar',
          heading: 'Revisa el trabajo adicional',
          paragraphs: [
            'Tu técnico encontró algo que no estaba en tu cotización. Sin tu aceptación no se hace ni se cobra.',
          ],
          facts: [totalFact(quote), validUntilFact(quote)],
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
        facts: [
          totalFact(quote),
          discountFact(quote),
          validUntilFact(quote),
          ...(isNew ? [revisionFact(quote)] : []),
        ],
      }
    }),
    quote_reminder_3d: toCustomer(isOpen, (quote) =>
      reminder(quote, 'Te quedan 3 días para aceptar tu cotización'),
    ),
    quote_reminder_1d: toCustomer(isOpen, (quote) => reminder(quote, 'Mañana vence tu cotización')),
    quote_reminder: toCustomer(isOpen, (quote) => reminder(quote, quote.timeLeft)),
    quote_accepted: toCustomer(is('accepted'), (quote) => {
      const { charges, isReady, kind } = quote
      if (charges.length > 0)
        return {
          heading:
            kind === 'extra_work'
              ? 'Aceptaste el trabajo adicional: así lo pagas'
              : 'Aceptaste tu cotización: así pagas tu anticipo',
          paragraphs: [
            quote.spei.clabe
              ? 'Paga por transferencia con estos datos, o de otra forma en tu cuenta.'
              : 'En tu cuenta ves cómo pagarlo.',
          ],
          facts: [totalFact(quote), ...chargesFacts(quote), ...refundFacts(quote)],
          button: { label: 'Pagar', path: '/payments' },
        }
      return {
        heading: 'Aceptaste tu cotización',
        paragraphs: [
          isReady
            ? 'Ya puedes agendar tu instalación: elige el día y la hora que mejor te queden.'
            : 'Gracias. Aquí está lo que acordamos.',
          ...refundSentence(quote),
        ],
        facts: [totalFact(quote), depositFact(quote), ...refundFacts(quote)],
        ...(isReady && { button: toBook }),
      }
    }),
    quote_expired: toCustomer(is('expired'), (quote) => ({
      heading: 'Tu cotización venció',
      paragraphs: ['Si todavía te interesa, pide otra con un toque y te la preparamos.'],
      facts: [totalFact(quote)],
    })),
    quote_withdrawn: toCustomer(is('withdrawn'), (quote) => ({
      heading: 'Retiramos tu cotización',
      paragraphs: ['Ya no se puede aceptar. Te avisamos en cuanto tengas otra.'],
      facts: [reasonFact(quote)],
    })),
    quote_cancelled: toCustomer(is('cancelled'), (quote) => ({
      heading: 'Tu cotización se canceló',
      paragraphs: [
        ...refundSentence(quote),
        quote.isReady
          ? 'Lo que pagaste cubre tu anticipo: ya puedes agendar tu instalación.'
          : 'Si pagaste algo, revisamos tu reembolso y te avisamos en cuanto se apruebe.',
      ],
      facts: [reasonFact(quote), ...refundFacts(quote)],
      ...(quote.isReady && { button: toBook }),
    })),
    quote_lapsed: toCustomer(is('lapsed'), (quote) => ({
      heading: 'Se venció el plazo de tu anticipo',
      paragraphs: [
        'No lo recibimos a tiempo y tu cotización terminó. Si todavía te interesa, pide otra con un toque.',
        ...refundSentence(quote),
      ],
      facts: [totalFact(quote), depositFact(quote), ...refundFacts(quote)],
    })),
    home_approved: toCustomer(is('accepted'), ({ home, moved, movedWhy }) => ({
      heading: 'Tu instalación será en otro domicilio',
      paragraphs: [
        moved
          ? 'Tu cotización sigue siendo válida. Si tú no lo pediste, escríbenos hoy mismo.'
          : 'Primero te cotizamos ahí; lo que pagaste se queda en tu cuenta. Si tú no lo pediste, escríbenos hoy mismo.',
      ],
      facts: [home && ['Domicilio', homeLine(home)], movedWhy ? ['Motivo', movedWhy] : null],
    })),
  },
  maker: {
    quote_accepted: toMaker(is('accepted'), (quote) => ({
      subject: 'Aceptaron una cotización',
      heading: 'El cliente aceptó su cotización',
      paragraphs: [
        quote.kind === 'extra_work'
          ? 'El trabajo adicional ya se puede hacer.'
          : quote.depositAmount
            ? 'Le pedimos su anticipo por correo.'
            : 'No lleva anticipo.',
      ],
      facts: [customerFact(quote), revisionFact(quote), totalFact(quote), depositFact(quote)],
    })),
    quote_rejected: toMaker(is('rejected'), (quote) => ({
      subject: 'Rechazaron una cotización',
      heading: 'El cliente rechazó su cotización',
      paragraphs: ['Llámale y averigua qué le conviene. Hay un pendiente en tu inicio.'],
      facts: [customerFact(quote), revisionFact(quote), reasonFact(quote)],
    })),
    quote_changes_requested: toMaker(is('changes_requested'), (quote) => ({
      subject: 'Piden cambios a una cotización',
      heading: 'El cliente pide cambios a su cotización',
      paragraphs: ['Haz una versión nueva y envíasela.'],
      facts: [customerFact(quote), revisionFact(quote), answerFact(quote)],
    })),
    quote_cancelled: toMaker(is('cancelled'), (quote) => ({
      heading: 'Se canceló una cotización aceptada',
      paragraphs: ['Si había instalación agendada, se liberó. Si pagó algo, hay un reembolso por revisar.'],
      facts: [customerFact(quote), revisionFact(quote), reasonFact(quote)],
    })),
    quote_renewal_asked: toMaker(isRequoteAsked, (quote) => ({
      subject: 'Piden otra cotización',
      heading: 'El cliente pide otra cotización',
      paragraphs: ['La anterior ya no se puede aceptar. Haz una versión nueva y envíasela.'],
      facts: [customerFact(quote), revisionFact(quote)],
    })),
    quote_code_used: toMaker(isOpen, (quote) => ({
      heading: 'Tu cliente usó un código',
      paragraphs: ['Le enviamos por ti la misma cotización con el descuento. No tienes que hacer nada.'],
      facts: [customerFact(quote), discountFact(quote), revisionFact(quote), totalFact(quote)],
    })),
  },
} satisfies EmailsOf<QuoteEmailJob>

/** Sent one and three days before the end, in the evening, and when the office asks: the last day is named by its weekday. */
function reminder(quote: QuoteFacts, heading: string): EmailBody {
  return {
    heading,
    paragraphs: ['Acéptala en línea, o dinos qué te gustaría cambiar.'],
    facts: [totalFact(quote), validUntilFact(quote)],
  }
}

function toCustomer(
  isRelevant: Rule,
  compose: (quote: QuoteFacts) => EmailBody & { button?: { label: string; path: string } },
): QuoteEmail {
  return {
    load: loadQuote,
    isRelevant,
    recipients: activeCustomer,
    compose(quote, _reader, { baseUrl }) {
      const { button = { label: 'Ver mi cotización', path: '/quote' }, ...body } = compose(quote)
      return { ...body, folio: quote.folio, link: { label: button.label, href: baseUrl + button.path } }
    },
  }
}

function toMaker(isRelevant: Rule, compose: (quote: QuoteFacts) => EmailBody): QuoteEmail {
  return {
    load: loadQuote,
    isRelevant,
    recipients: (db, { sentBy }) => staffOrManagers(db, sentBy),
    compose: (quote, _reader, { baseUrl }) => ({
      ...compose(quote),
      folio: quote.folio,
      link: { label: 'Abrir la cotización', href: `${baseUrl}/admin/cotizations/detail-quote/${quote.id}` },
    }),
  }
}

const totalFact = ({ acceptedTotal, highestTotal, lowestTotal }: QuoteFacts): Fact => [
  'Total',
  acceptedTotal !== null
    ? money(acceptedTotal)
    : lowestTotal === highestTotal
      ? money(lowestTotal)
      : `De ${money(lowestTotal)} a ${money(highestTotal)}`,
]
const depositFact = ({ depositAmount }: QuoteFacts): Fact | null =>
  depositAmount ? ['Anticipo', money(depositAmount)] : null
const validUntilFact = ({ validUntil }: QuoteFacts): Fact | null =>
  validUntil && ['Puedes aceptarla hasta', `el ${longDate(validUntil)}`]
const reasonFact = ({ reason }: QuoteFacts): Fact | null => (reason ? ['Motivo', reason] : null)
const answerFact = ({ reason }: QuoteFacts): Fact | null => (reason ? ['Escribió', reason] : null)
const customerFact = ({ addressee }: QuoteFacts): Fact | null => (addressee ? ['Cliente', addressee] : null)
const discountFact = ({ content }: QuoteFacts): Fact | null => {
  const line = benefitOf(content)
  return line && ['Descuento', line.description]
}
const revisionFact = ({ revision }: QuoteFacts): Fact => ['Versión', String(revision)]

async function loadQuote(db: Db, { quoteId: id }: QuoteEmailJob, now: Date) {
  const [row] = await db
    .select({
      id: quotes.id,
      projectId: quotes.projectId,
      folio: quotes.folio,
      revision: quotes.revision,
      kind: quotes.kind,
      state: quotes.state,
      reason: quotes.reason,
      validUntil: quotes.validUntil,
      lowestTotal: quotes.lowestTotal,
      highestTotal: quotes.highestTotal,
      sentBy: quotes.sentBy,
      content: quotes.content,
      acceptedTotal: quotes.acceptedTotal,
      depositAmount: quotes.depositAmount,
      home: homeNow,
      moved: sql<boolean | null>`(${lastMove('data')} ->> 'stands')::boolean`,
      movedWhy: sql<string | null>`${lastMove('reason')}`,
      answeredAt: quotes.answeredAt,
      endedAt: quotes.endedAt,
      addressee: quotes.addressee,
      isReady: readySince(sql`cause.entity = 'quote' and cause.entity_id = ${quotes.id}`, quotes.projectId),
      customer: recipient,
    })
    .from(quotes)
    .innerJoin(users, eq(users.id, quotes.customerId))
    .where(eq(quotes.id, id))
  if (!row) return row
  const open = await openChargesOf(db, { quoteId: id })
  const refund = await proposedRefundOf(db, row.projectId)
  return { ...row, ...open, refund, timeLeft: timeLeftWords(row.validUntil ?? now, now) }
}

/** Of the last approval of another home. */
const lastMove = (
  field: 'data' | 'reason',
) => sql`(select ${sql.raw(field)} from events where entity = 'quote'
  and entity_id = ${quotes.id} and name in (${listed(Object.values(homeEvents))}) order by at desc, id desc limit 1)`
const homeNow = sql<Home | null>`(select jsonb_build_object('street', street, 'outerNumber', outer_number, 'innerNumber', inner_number,
  'postalCode', postal_code, 'colonia', colonia, 'municipality', municipality, 'state', state)
  from addresses where project_id = ${quotes.projectId} and archived_at is null)`
