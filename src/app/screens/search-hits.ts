import { type FoundAction, findActions } from '../../access/rules/actions.ts'
import { isAlly, kindLabels } from '../../access/rules/actor.ts'
import { type Modules, mayOpen } from '../../access/rules/routes.ts'
import { clientStageLabels, withCar } from '../../agencies/rules/clients.ts'
import { codeStates } from '../../agencies/rules/codes.ts'
import { agencyPath, clientPath } from '../../agencies/screens/agency-paths.ts'
import { isActive, serviceFacts, stateFacts } from '../../appointments/rules/appointment.ts'
import { appointmentPath } from '../../appointments/rules/appointment-path.ts'
import { caseKindLabels, caseStateFacts } from '../../cfe/rules/case.ts'
import { invoiceKindLabels, invoiceStateFacts } from '../../invoices/rules/invoice.ts'
import { type LoaderContext, signedIn } from '../../kit/request.ts'
import { conceptOf, isWithdrawn, refundStandingOf, standingOf } from '../../payments/rules/payment.ts'
import { bankPath } from '../../payments/screens/office-path.ts'
import { customerPath, readsProjects } from '../../projects/rules/pipeline.ts'
import { quoteStateFacts } from '../../quotes/rules/quote.ts'
import { forCaller } from '../../scheduling/screens/board-query.ts'
import { localDate, toMinutes } from '../../shared/calendar.ts'
import { dateTime, formatPhone, money, shortDate } from '../../shared/format.ts'
import { shownEmail } from '../../shared/mailbox.ts'
import { municipalityLabel } from '../../shared/places.ts'
import { type Findable, readSearch, scoreOf } from '../../shared/search.ts'
import type { StateFacts } from '../../shared/state-machine.ts'
import {
  type FoundCustomer,
  findAgencies,
  findAppointments,
  findCases,
  findClients,
  findCodes,
  findCustomers,
  findInvited,
  findInvoices,
  findMovements,
  findPayments,
  findPayouts,
  findQuotes,
  findRefunds,
  findStaff,
  type SearchRequest,
} from '../search.ts'
import type { Hit, HitGroup } from './search-line.tsx'

/**
 * What the search of an address finds for its viewer: groups of one kind, the surest first. Without words, what can be
 * done. The statements are sent together, in one round trip.
 */
export async function searchedFor(context: LoaderContext, url: URL) {
  const { actor, lists, modules, now } = signedIn(context)
  const today = localDate(toMinutes(now))
  const search = readSearch(url.searchParams.get('q'), Number(today.slice(0, 4)))
  const db = await lists()
  const found = await Promise.all(kinds.map((findHits) => findHits({ db, actor, search, now, on: modules })))
  const hits = [...found.flat(), ...findActions(search.text, actor, modules, today).map(actionHit)]
  const groups = [...Map.groupBy(hits, ({ kind }) => kind)].map(([kind, own]): HitGroup => {
    return { kind, hits: own.toSorted((a, b) => b.score - a.score) }
  })
  return { q: search.text, groups: groups.toSorted((a, b) => b.hits[0]!.score - a.hits[0]!.score) }
}

export type SearchAnswer = Awaited<ReturnType<typeof searchedFor>>

const actionHit = ({ label, score, to }: FoundAction): Hit => ({
  id: to,
  kind: 'action',
  to,
  title: label,
  facts: [],
  badge: null,
  score,
})

type Viewer = SearchRequest & { on: Modules }
type Found = Pick<Hit, 'to' | 'title' | 'book'> & {
  facts?: (string | null | false)[]
  badge?: StateFacts | null
  about: Findable
}

/** How rows of a kind are found, and what each is called; null for what the viewer can't open. */
const hitsOf =
  <Row extends { id: string }>(
    kind: Hit['kind'],
    find: (asked: SearchRequest) => Promise<Row[]>,
    hit: (row: Row, viewer: Viewer) => Found | null,
  ) =>
  async (viewer: Viewer): Promise<Hit[]> =>
    (await find(viewer)).flatMap((row) => {
      const shown = hit(row, viewer)
      if (!shown) return []
      const { about, badge, facts = [], ...found } = shown
      return {
        ...found,
        id: row.id,
        kind,
        facts: facts.filter((line): line is string => Boolean(line)),
        badge: badge ? { label: badge.label, tone: badge.tone } : null,
        score: scoreOf(viewer.search, about),
      }
    })

const joined = (...facts: (string | null | false | undefined)[]) => facts.filter(Boolean).join(' · ')
const inactive = { label: 'Inactiva', tone: 'neutral' } as const
const titled = ({ customer, folio }: { customer: string; folio: string }) => `${folio} · ${customer}`

function customerHit(customer: FoundCustomer, { actor, on }: Viewer): Found {
  const { active, email, id, name, phone, receiver, service, street } = customer
  const book = forCaller(id)
  const isBookable = active && mayOpen(new URL(book, 'http://here').pathname, actor, on)
  return {
    to: customerPath(id),
    title: name,
    facts: [
      joined(
        phone ? formatPhone(phone) : shownEmail(email),
        street && municipalityLabel(customer.municipality),
        street && `${street}, ${customer.colonia}`,
      ),
      receiver && receiver !== phone && `Quien recibe en su domicilio: ${formatPhone(receiver)}`,
      service
        ? joined(
            `${serviceFacts[service].label}: ${dateTime(new Date(customer.startsAt))}`,
            stateFacts[customer.state].label,
          )
        : active && readsProjects(actor) === 'all' && 'Sin citas próximas',
    ],
    badge: active ? null : inactive,
    ...(isBookable && { book }),
    about: { name, phone: receiver ?? phone, email },
  }
}

/** The kinds in the order of their groups, where they are as sure. */
const kinds = [
  hitsOf('customer', findCustomers, customerHit),
  hitsOf('client', findClients, ({ id, name, next, stage, vehicle }) => ({
    to: clientPath(id),
    title: withCar(name, vehicle),
    facts: [
      next ? `${serviceFacts[next.service].label}: ${dateTime(next.startsAt)}` : clientStageLabels[stage],
    ],
    badge: next && stateFacts[next.state],
    about: { name },
  })),
  // Who has no account yet is in the list of their agency.
  hitsOf('client', findInvited, ({ agency, agencyId, name, phone }) => ({
    to: agencyPath(agencyId, 'clientes'),
    title: name,
    facts: [joined(phone && formatPhone(phone), `Lo registró ${agency}; todavía no crea su cuenta`)],
    about: { name, phone },
  })),
  hitsOf('appointment', findAppointments, (row, { actor: { kind } }) => ({
    to: appointmentPath(isActive(row.state) ? 'pending' : 'done', row, kind),
    title: titled(row),
    facts: [
      `${serviceFacts[row.service].label}: ${dateTime(row.startsAt)}`,
      joined(
        row.municipality && municipalityLabel(row.municipality),
        row.phone && formatPhone(row.phone),
        row.assignee,
      ),
    ],
    badge: stateFacts[row.state],
    about: { folio: row.folio, name: row.customer, phone: row.phone },
  })),
  hitsOf('quote', findQuotes, (row) => ({
    to: `/admin/cotizations/detail-quote/${row.id}`,
    title: titled(row),
    badge: quoteStateFacts[row.state],
    about: { folio: row.folio },
  })),
  hitsOf('payment', findPayments, (row) => ({
    to: row.to,
    title: titled(row),
    facts: [joined(conceptOf(row), money(row.amount), row.trackingKey && `Clave ${row.trackingKey}`)],
    badge: standingOf(row),
    about: { folio: row.folio, keys: [row.trackingKey] },
  })),
  hitsOf('refund', findRefunds, (row) => ({
    to: row.to,
    title: titled(row),
    facts: [money(row.amount)],
    badge: refundStandingOf({ ...row, isWithdrawn: isWithdrawn(row) }),
    about: { folio: row.folio },
  })),
  hitsOf('code', findCodes, ({ agency, agencyId, benefit, owner, state, text }, { actor }) => ({
    to: agencyPath(agencyId, 'codigos'),
    title: text,
    facts: [joined(benefit, !isAlly(actor) && agency, owner)],
    badge: { label: codeStates[state], tone: 'neutral' },
    about: { keys: [text], name: text },
  })),
  hitsOf('payout', findPayouts, ({ agency, agencyId, amount, paidOn, reference }) => ({
    to: agencyPath(agencyId, 'comisiones'),
    title: agency,
    facts: [joined(money(amount), shortDate(paidOn), `Referencia ${reference}`)],
    about: { keys: [reference] },
  })),
  // A movement leads to the page of the bank that begins with it.
  hitsOf('movement', findMovements, (row, { actor, on }) =>
    mayOpen(bankPath(), actor, on)
      ? {
          to: bankPath(row.before ?? undefined),
          title: row.description,
          facts: [joined(money(row.amount), shortDate(row.bookedOn), `Clave ${row.trackingKey}`)],
          badge: { label: 'Sin identificar', tone: 'wait' },
          about: { keys: [row.trackingKey] },
        }
      : null,
  ),
  // A case leads to its page, or to its customer's for those who only read it there.
  hitsOf('case', findCases, (row, { actor, on }) => {
    const own = `/admin/gesties/${row.id}`
    return on.has('gesties')
      ? {
          to: mayOpen(own, actor, on) ? own : customerPath(row.customerId),
          title: titled(row),
          facts: [joined(caseKindLabels[row.kind], row.requestNumber && `Solicitud ${row.requestNumber}`)],
          badge: caseStateFacts[row.state],
          about: { folio: row.folio, keys: [row.requestNumber, row.serviceNumber] },
        }
      : null
  }),
  hitsOf('invoice', findInvoices, ({ customer, kind, state, to, uuid }) => ({
    to,
    title: invoiceKindLabels[kind],
    facts: [joined(customer, uuid)],
    badge: invoiceStateFacts[state],
    about: { keys: [uuid] },
  })),
  hitsOf('agency', findAgencies, ({ active, brand, id, municipality, name, phone }) => ({
    to: `/admin/agency/${id}`,
    title: name,
    facts: [joined(brand, municipality && municipalityLabel(municipality), phone && formatPhone(phone))],
    badge: active ? null : inactive,
    about: { name, phone },
  })),
  hitsOf('staff', findStaff, ({ active, email, id, kind, name, phone }) => ({
    to: `/admin/users/${id}`,
    title: name || email,
    facts: [joined(kindLabels[kind], phone && formatPhone(phone), email)],
    badge: active ? null : inactive,
    about: { name, phone, email },
  })),
]
