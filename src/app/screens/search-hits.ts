import type { RouterContextProvider } from 'react-router'
import { type FoundAction, findActions } from '../../access/rules/actions.ts'
import { type Actor, isAlly, kindLabels } from '../../access/rules/actor.ts'
import { type Modules, mayOpen } from '../../access/rules/routes.ts'
import { clientStageLabels, withCar } from '../../agencies/rules/clients.ts'
import { codeStates } from '../../agencies/rules/codes.ts'
import { agencyPath, clientPath } from '../../agencies/screens/agency-paths.ts'
import { isActive, serviceFacts, stateFacts } from '../../appointments/rules/appointment.ts'
import { appointmentPath } from '../../appointments/rules/appointment-path.ts'
import { caseKindLabels, caseStateFacts } from '../../cfe/rules/case.ts'
import { invoiceKindLabels, invoiceStateFacts } from '../../invoices/rules/invoice.ts'
import { requireActor } from '../../kit/require-actor.ts'
import { conceptOf, isWithdrawn, refundStandingOf, standingOf } from '../../payments/rules/payment.ts'
import { bankPath } from '../../payments/screens/office-path.ts'
import { customerPath, readsProjects } from '../../projects/rules/pipeline.ts'
import { quoteStateFacts } from '../../quotes/rules/quote.ts'
import { forCaller } from '../../scheduling/screens/board-query.ts'
import { localDate, toMinutes } from '../../shared/calendar.ts'
import { dateTime, formatPhone, money, shortDate, shownEmail } from '../../shared/format.ts'
import { municipalityLabel } from '../../shared/places.ts'
import { readSearch, scoreOf } from '../../shared/search.ts'
import type { StateFacts } from '../../shared/state-machine.ts'
import { enabledModules, listsDb } from '../context.ts'
import { type FoundCustomer, type SearchResults, searchOffice } from '../search.ts'
import type { Hit, HitGroup } from './search-line.tsx'

/**
 * What the search of an address finds for its viewer: groups of one kind, the surest first. Without words, what can be
 * done.
 */
export async function searchedFor(context: Readonly<RouterContextProvider>, url: URL) {
  const [viewer, now, on] = [requireActor(context), new Date(), context.get(enabledModules)]
  const today = localDate(toMinutes(now))
  const search = readSearch(url.searchParams.get('q'), Number(today.slice(0, 4)))
  const results = await searchOffice(await context.get(listsDb)(), viewer, search, now)
  const hits = hitsOf(results, viewer, on)
  const actions = findActions(search.text, viewer, on, today).map(actionHit)
  const groups = hits.flatMap(({ found, kind }): HitGroup[] => {
    const scored = found.map(({ about, ...hit }) => ({ ...hit, kind, score: scoreOf(search, about) }))
    return scored.length > 0 ? [{ kind, hits: scored.toSorted((a, b) => b.score - a.score) }] : []
  })
  if (actions.length > 0) groups.push({ kind: 'action', hits: actions })
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

type Found = Omit<Hit, 'kind' | 'score'> & { about: Parameters<typeof scoreOf>[1] }
type FoundKind = { kind: Hit['kind']; found: Found[] }

const badge = ({ label, tone }: StateFacts) => ({ label, tone })
const joined = (...facts: (string | null | false | undefined)[]) => facts.filter(Boolean).join(' · ')

function hitsOf(results: SearchResults, viewer: Actor, on: Modules): FoundKind[] {
  const { agencies, clients, invoices, staff } = results
  return [
    { kind: 'customer', found: results.customers.map((one) => customerHit(one, viewer, on)) },
    { kind: 'client', found: [...clients.map(clientHit), ...results.invited.map(invitedHit)] },
    { kind: 'appointment', found: results.appointments.map((one) => appointmentHit(one, viewer)) },
    ...moneyHits(results),
    ...dealershipHits(results, viewer),
    { kind: 'movement', found: movementHits(results, viewer, on) },
    { kind: 'case', found: caseHits(results, viewer, on) },
    {
      kind: 'invoice',
      found: invoices.map(({ customer, id, kind, state, to, uuid }) => ({
        id,
        to,
        title: invoiceKindLabels[kind],
        facts: [joined(customer, uuid)],
        badge: badge(invoiceStateFacts[state]),
        about: { keys: [uuid] },
      })),
    },
    {
      kind: 'agency',
      found: agencies.map(({ active, brand, id, municipality, name, phone }) => ({
        id,
        to: `/admin/agency/${id}`,
        title: name,
        facts: [joined(brand, municipality && municipalityLabel(municipality), phone && formatPhone(phone))],
        badge: active ? null : { label: 'Inactiva', tone: 'neutral' },
        about: { name, phone },
      })),
    },
    {
      kind: 'staff',
      found: staff.map(({ active, email, id, kind, name, phone }) => ({
        id,
        to: `/admin/users/${id}`,
        title: name || email,
        facts: [joined(kindLabels[kind], phone && formatPhone(phone), email)],
        badge: active ? null : { label: 'Inactiva', tone: 'neutral' },
        about: { name, phone, email },
      })),
    },
  ]
}

function customerHit(customer: FoundCustomer, viewer: Actor, on: Modules): Found {
  const { active, address, email, id, name, next, phone, receiver } = customer
  const book = forCaller(id)
  const isBookable = active && mayOpen(new URL(book, 'http://here').pathname, viewer, on)
  const zone = address && municipalityLabel(address.municipality)
  return {
    id,
    to: customerPath(id),
    title: name,
    facts: [
      joined(
        phone ? formatPhone(phone) : shownEmail(email),
        zone,
        address && `${address.street}, ${address.colonia}`,
      ),
      receiver && receiver !== phone && `Quien recibe en su domicilio: ${formatPhone(receiver)}`,
      next
        ? joined(
            `${serviceFacts[next.service].label}: ${dateTime(next.startsAt)}`,
            stateFacts[next.state].label,
          )
        : active && readsProjects(viewer) === 'all' && 'Sin citas próximas',
    ].filter((line): line is string => Boolean(line)),
    badge: active ? null : { label: 'Inactiva', tone: 'neutral' },
    ...(isBookable && { book }),
    about: { name, phone: receiver ?? phone, email },
  }
}

/** One who has no account yet: in the list of their agency. */
const invitedHit = ({ agency, agencyId, id, name, phone }: SearchResults['invited'][number]): Found => ({
  id,
  to: agencyPath(agencyId, 'clientes'),
  title: name,
  facts: [joined(phone && formatPhone(phone), `Lo registró ${agency}; todavía no crea su cuenta`)],
  badge: null,
  about: { name, phone },
})

const dealershipHits = ({ codes, payouts }: SearchResults, viewer: Actor): FoundKind[] => [
  {
    kind: 'code',
    found: codes.map(({ agency, agencyId, benefit, id, owner, state, text }) => ({
      id,
      to: agencyPath(agencyId, 'codigos'),
      title: text,
      facts: [joined(benefit, !isAlly(viewer) && agency, owner)],
      badge: { label: codeStates[state], tone: 'neutral' },
      about: { keys: [text], name: text },
    })),
  },
  {
    kind: 'payout',
    found: payouts.map(({ agency, agencyId, amount, id, paidOn, reference }) => ({
      id,
      to: agencyPath(agencyId, 'comisiones'),
      title: agency,
      facts: [joined(money(amount), shortDate(paidOn), `Referencia ${reference}`)],
      badge: null,
      about: { keys: [reference] },
    })),
  },
]

/** A movement leads to the page of the bank that begins with it. */
const movementHits = ({ movements }: SearchResults, viewer: Actor, on: Modules): Found[] =>
  movements.flatMap(({ amount, before, bookedOn, description, id, trackingKey }) =>
    mayOpen(bankPath(), viewer, on)
      ? [
          {
            id,
            to: bankPath(before ?? undefined),
            title: description,
            facts: [joined(money(amount), shortDate(bookedOn), `Clave ${trackingKey}`)],
            badge: { label: 'Sin identificar', tone: 'wait' as const },
            about: { keys: [trackingKey] },
          },
        ]
      : [],
  )

function clientHit({ id, name, next, stage, vehicle }: SearchResults['clients'][number]): Found {
  return {
    id,
    to: clientPath(id),
    title: withCar(name, vehicle),
    facts: [
      next ? `${serviceFacts[next.service].label}: ${dateTime(next.startsAt)}` : clientStageLabels[stage],
    ],
    badge: next && badge(stateFacts[next.state]),
    about: { name },
  }
}

function appointmentHit(appointment: SearchResults['appointments'][number], { kind }: Actor): Found {
  const { assignee, customer, folio, id, municipality, phone, service, startsAt, state } = appointment
  return {
    id,
    to: appointmentPath(isActive(state) ? 'pending' : 'done', { id, service }, kind),
    title: `${folio} · ${customer}`,
    facts: [
      `${serviceFacts[service].label}: ${dateTime(startsAt)}`,
      joined(municipality && municipalityLabel(municipality), phone && formatPhone(phone), assignee),
    ].filter(Boolean),
    badge: badge(stateFacts[state]),
    about: { folio, name: customer, phone },
  }
}

const moneyHits = ({ payments, quotes, refunds }: SearchResults): FoundKind[] => [
  {
    kind: 'quote',
    found: quotes.map(({ customer, folio, id, state }) => ({
      id,
      to: `/admin/cotizations/detail-quote/${id}`,
      title: `${folio} · ${customer}`,
      facts: [],
      badge: badge(quoteStateFacts[state]),
      about: { folio },
    })),
  },
  {
    kind: 'payment',
    found: payments.map(({ amount, customer, folio, id, to, trackingKey, ...of }) => ({
      id,
      to,
      title: `${folio} · ${customer}`,
      facts: [joined(conceptOf(of), money(amount), trackingKey && `Clave ${trackingKey}`)],
      badge: badge(standingOf(of)),
      about: { folio, keys: [trackingKey] },
    })),
  },
  {
    kind: 'refund',
    found: refunds.map(({ amount, customer, folio, id, to, ...of }) => ({
      id,
      to,
      title: `${folio} · ${customer}`,
      facts: [money(amount)],
      badge: badge(refundStandingOf({ ...of, isWithdrawn: isWithdrawn(of) })),
      about: { folio },
    })),
  },
]

/** A case leads to its page, or to its customer's for those who only read it there. */
const caseHits = ({ cases }: SearchResults, viewer: Actor, on: Modules): Found[] =>
  cases.flatMap(({ customer, customerId, folio, id, kind, requestNumber, serviceNumber, state }) => {
    const own = `/admin/gesties/${id}`
    const to = mayOpen(own, viewer, on) ? own : customerPath(customerId)
    if (!on.has('gesties')) return []
    return [
      {
        id,
        to,
        title: `${folio} · ${customer}`,
        facts: [joined(caseKindLabels[kind], requestNumber && `Solicitud ${requestNumber}`)],
        badge: badge(caseStateFacts[state]),
        about: { folio, keys: [requestNumber, serviceNumber] },
      },
    ]
  })
