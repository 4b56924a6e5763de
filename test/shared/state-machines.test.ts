import { expect, test } from 'vitest'
import { type Actor, isManager, type Mover, staffKinds } from '../../src/domain/access/actor.ts'
import { invoiceMachine } from '../../src/domain/invoices/invoice.ts'
import { fiscalMachine } from '../../src/domain/invoices/taxpayer.ts'
import { messageMachine } from '../../src/domain/notifications/whatsapp.ts'
import {
  checkoutMachine,
  mayAskForRefund,
  paymentMachine,
  refundMachine,
} from '../../src/domain/payments/payment.ts'
import { quoteMachine } from '../../src/domain/quotes/quote.ts'
import { sheetMachine } from '../../src/domain/reports/report.ts'
import { Refusal } from '../../src/domain/shared/refusal.ts'
import { machine } from '../../src/domain/shared/state-machine.ts'

const someone = (id: string, kind: Actor['kind']) =>
  ({ id, role: kind ? 'staff' : 'customer', kind, agencyId: null }) as Actor
const actors: Record<string, Mover> = {
  system: 'system',
  customer: someone('customer', null),
  stranger: someone('stranger', null),
  author: someone('author', 'tecnician'),
  ...Object.fromEntries(staffKinds.map((kind) => [kind, someone(kind, kind)])),
}
const now = new Date('2026-11-22T18:00:00Z')
const [before, after] = [new Date('2026-11-01T18:00:00Z'), new Date('2026-11-30T18:00:00Z')]

type Asked = (name: string, actor: Mover, facts: { state: string }, now: Date) => string
type Rule = { machine: unknown; facts?: object; table: string; when?: Record<string, object> }
const office = 'manager,analyst'
const quote = { customerId: 'customer', validUntil: after, discountShare: 0, belowList: 0, belowCost: false }

/** Each transition: by whom, from which states, to which; all else is refused. `when` holds the facts of its right moment. */
const machines: Record<string, Rule> = {
  payments: {
    machine: paymentMachine,
    facts: { customerId: 'customer' },
    table: `
      sendProof customer pending,expired in_review
      payByCard customer pending pending
      confirmProof ${office} in_review paid
      matchBankLine ${office} pending,in_review,expired,cancelled paid
      rejectProof ${office} in_review pending
      record manager pending,in_review,expired,cancelled paid
      settle system pending,in_review,expired,cancelled paid
      expire system pending expired
      cancel system,manager pending,in_review cancelled`,
  },
  refunds: {
    machine: refundMachine,
    table: `
      approve manager requested approved
      refuse manager requested,approved refused
      pay manager,system approved paid
      reopen system approved requested`,
  },
  invoices: {
    machine: invoiceMachine,
    table: `
      issue system,${office} requested issued
      drop ${office} requested cancelled
      cancel manager issued cancelled`,
  },
  'fiscal data': {
    machine: fiscalMachine,
    facts: { customerId: 'customer', rfc: 'XAXX010101000', hasConstancia: false },
    table: `
      keep customer draft draft
      submit customer draft,submitted,verified,rejected submitted
      verify ${office} submitted verified
      reject ${office} submitted rejected`,
  },
  quotes: {
    machine: quoteMachine,
    facts: { ...quote, installationStarted: false, depositPaid: false },
    when: { expire: { validUntil: before }, lapse: { validUntil: before } },
    table: `
      send system,${office} draft sent
      view customer sent viewed
      accept customer sent,viewed accepted
      reject customer sent,viewed rejected
      askChanges customer sent,viewed changes_requested
      expire system sent,viewed expired
      withdraw ${office} draft,sent,viewed,changes_requested withdrawn
      supersede ${office} rejected,withdrawn,changes_requested,expired,lapsed superseded
      improve system sent,viewed superseded
      replace customer accepted superseded
      cancel manager,customer accepted cancelled
      askAnew customer expired,lapsed,cancelled same
      lapse system accepted lapsed`,
  },
  sheets: {
    machine: sheetMachine,
    facts: { assigneeId: 'author', provisional: false, appointmentState: 'in_progress', authorGone: true },
    when: { claim: { assigneeId: null, takenFrom: 'author' } },
    table: `
      write author draft,returned same
      correct ${office} draft,submitted,returned same
      claim author draft same
      submit author draft,returned submitted
      approve ${office} submitted,returned approved
      return ${office} submitted returned`,
  },
  'pages of Stripe': {
    machine: checkoutMachine,
    table: `
      wait system opening,open waiting
      pay system opening,open,waiting,failed,expired paid
      fail system opening,open,waiting failed
      expire system opening,open expired`,
  },
  'messages of WhatsApp': {
    machine: messageMachine,
    table: `
      sent system sending sent
      delivered system sending,sent delivered
      read system sending,sent,delivered read
      failed system sending,sent failed`,
  },
}

test.each(Object.entries(machines))(
  '%s: who makes what from where, and nobody else from nowhere else',
  (_, rule) => {
    const asked = rule.machine as { names: string[]; next: Asked; can: (...of: Parameters<Asked>) => boolean }
    const rows = rule.table
      .trim()
      .split('\n')
      .map((line) => line.trim().split(' ') as [string, string, string, string])
    expect(rows.map(([name]) => name)).toEqual(asked.names)
    const states = new Set(
      rows.flatMap(([, , from, to]) => [...from.split(','), to]).filter((state) => state !== 'same'),
    )
    for (const [name, by, from, to] of rows)
      for (const [who, actor] of Object.entries(actors))
        for (const state of states) {
          const facts = { ...rule.facts, ...rule.when?.[name], state }
          const [may, fits] = [by.split(',').includes(who), from.split(',').includes(state)]
          const code = may ? 'failed-precondition' : 'permission-denied'
          const wanted = may && fits ? (to === 'same' ? state : to) : code
          expect([name, who, state, tried(() => asked.next(name, actor, facts, now))]).toEqual([
            name,
            who,
            state,
            wanted,
          ])
          expect(asked.can(name, actor, facts, now)).toBe(may && fits)
        }
  },
)

function tried(attempt: () => string): string {
  try {
    return attempt()
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

test('a transition that has to wait says why, to those alone whose it is', () => {
  type Facts = { state: 'open' | 'closed' | 'gone'; from: 'open' | 'closed' }
  const doors = machine<Facts, [now: Date]>()(
    {
      close: {
        from: ['open'],
        to: 'closed',
        by: isManager,
        blocked: (_, __, at) => (at < now ? 'Todavía no.' : null),
      },
      undo: { from: ['gone', 'closed'], to: ({ from }) => from, by: isManager },
    },
    (state) => `Ya está ${state}.`,
  )
  const [manager, open] = [actors.manager!, { state: 'open', from: 'closed' } as const]
  expect(doors.can('close', manager, open, before)).toBe(false)
  expect(doors.blockedReason('close', manager, open, before)).toBe('Todavía no.')
  expect(doors.blockedReason('close', actors.analyst!, open, before)).toBeNull()
  expect(doors.blockedReason('close', manager, open, now)).toBeNull()
  expect(doors.blockedReason('close', manager, { ...open, state: 'gone' }, before)).toBeNull()
  expect(() => doors.next('close', manager, open, before)).toThrow(
    expect.objectContaining({ code: 'failed-precondition', description: 'Todavía no.' }),
  )
  expect(() => doors.next('close', manager, { ...open, state: 'gone' }, now)).toThrow(
    expect.objectContaining({ description: 'Ya está gone.' }),
  )
  expect(doors.next('undo', manager, { ...open, state: 'gone' }, now)).toBe('closed')
  expect([doors.from('close', 'undo'), doors.transitions.close.to]).toEqual([
    ['open', 'gone', 'closed'],
    'closed',
  ])
})

test('what waits in quotes, papers and sheets', () => {
  const [manager, analyst] = [actors.manager!, actors.analyst!]
  const facts = { ...quote, state: 'draft', installationStarted: false, depositPaid: false } as const
  expect(quoteMachine.blockedReason('send', analyst, { ...facts, discountShare: 20_01 }, now)).toContain(
    '20 %',
  )
  expect(quoteMachine.can('send', manager, { ...facts, discountShare: 20_01 }, now)).toBe(true)
  const late = { ...facts, state: 'viewed', validUntil: before } as const
  expect(quoteMachine.blockedReason('accept', actors.customer!, late, now)).toContain('ya venció')
  const begun = { ...facts, state: 'accepted', installationStarted: true } as const
  expect(quoteMachine.blockedReason('cancel', actors.customer!, begun, now)).toContain('ya empezó')
  expect(quoteMachine.can('lapse', 'system', { ...begun, validUntil: before, depositPaid: true }, now)).toBe(
    false,
  )
  const own = {
    state: 'submitted',
    customerId: 'customer',
    rfc: 'MOCA800101AB1',
    hasConstancia: false,
  } as const
  expect(fiscalMachine.blockedReason('verify', analyst, own)).toContain('Constancia')
  const sheet = {
    state: 'draft',
    assigneeId: 'author',
    provisional: false,
    appointmentState: 'cancelled',
  } as const
  expect(sheetMachine.blockedReason('write', actors.author!, sheet)).toContain('se queda como está')
  expect(sheetMachine.can('write', actors.author!, { ...sheet, takenFrom: 'author' })).toBe(true)
  expect(sheetMachine.blockedReason('approve', analyst, { ...sheet, state: 'returned' })).toContain('Espera')
  expect(
    sheetMachine.can('submit', actors.author!, { ...sheet, appointmentState: 'paused', provisional: true }),
  ).toBe(false)
})

test('what is in a customer’s favour is asked for once at a time', () => {
  expect(mayAskForRefund(1, [{ state: 'paid' }, { state: 'refused' }])).toBe(true)
  for (const state of ['requested', 'approved'] as const) expect(mayAskForRefund(1, [{ state }])).toBe(false)
  expect(mayAskForRefund(0, [])).toBe(false)
})
