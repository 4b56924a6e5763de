import { isManager, type Mover } from '../../src/access/rules/actor.ts'
import { mayAskForRefund } from '../../src/payments/rules/payment.ts'
import { quoteMachine } from '../../src/quotes/rules/quote.ts'
import { sheetMachine } from '../../src/reports/rules/report.ts'
import { Refusal } from '../../src/shared/refusal.ts'
import { machine } from '../../src/shared/state-machine.ts'
import { actors, before, machines, now, quote, rules } from './transitions.ts'

type Asked<Answer> = (name: string, actor: Mover, facts: { state: string }, now: Date) => Answer
type Machine = {
  names: string[]
  from: (...names: string[]) => string[]
  next: Asked<string>
  can: Asked<boolean>
  blockedReason: Asked<string | null>
}

test.each(Object.entries(rules))(
  '%s: each transition is made by its actors from its states only',
  (noun, { facts: common, table, when }) => {
    const asked = machines[noun] as Machine
    const rows = [...table.matchAll(/(\S+) (\S+) (\S+) (\S+)/g)].map(([, name, by, from, to]) => ({
      name: name!,
      by: by!.split(','),
      from: from!.split(','),
      to: to!,
    }))
    expect([...new Set(rows.map(({ name }) => name))]).toEqual(asked.names)
    const reached = rows.map(({ to }) => to).filter((to) => to !== 'same' && to !== '-')
    const states = new Set([...rows.flatMap(({ from }) => from), ...reached, ...asked.from(...asked.names)])
    for (const name of asked.names)
      for (const [who, actor] of Object.entries(actors))
        for (const state of states) {
          const { now: at = now, ...facts } = { ...common, ...when?.[name], state }
          const theirs = rows.filter((row) => row.name === name && row.by.includes(who))
          const to = theirs.find(({ from }) => from.includes(state))?.to
          const isMade = to !== undefined && to !== '-'
          const code = theirs.length > 0 && to !== '-' ? 'failed-precondition' : 'permission-denied'
          const got = [
            tried(() => asked.next(name, actor, facts, at)),
            asked.can(name, actor, facts, at),
            asked.blockedReason(name, actor, facts, at),
          ]
          const wanted = isMade ? (to === 'same' ? state : to) : code
          expect(got, `${name} by ${who} from ${state}`).toEqual([wanted, isMade, null])
        }
  },
)

test('each machine has its table', () =>
  expect(Object.keys(rules).toSorted()).toEqual(Object.keys(machines).toSorted()))

function tried(attempt: () => string): string {
  try {
    return attempt()
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

test('a blocked transition gives its reason to those who may make it', () => {
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
  const manager = actors.manager!
  const open = { state: 'open', from: 'closed' } as const
  const gone = { ...open, state: 'gone' } as const
  expect(doors.can('close', manager, open, before)).toBe(false)
  expect(doors.blockedReason('close', manager, open, before)).toBe('Todavía no.')
  expect(doors.blockedReason('close', actors.analyst!, open, before)).toBeNull()
  expect(doors.blockedReason('close', manager, open, now)).toBeNull()
  expect(doors.blockedReason('close', manager, gone, before)).toBeNull()
  expect(() => doors.next('close', manager, open, before)).toThrow(
    expect.objectContaining({ code: 'failed-precondition', description: 'Todavía no.' }),
  )
  expect(() => doors.next('close', manager, gone, now)).toThrow(
    expect.objectContaining({ description: 'Ya está gone.' }),
  )
  expect(doors.next('undo', manager, gone, now)).toBe('closed')
  expect(doors.from('close', 'undo')).toEqual(['open', 'gone', 'closed'])
  expect(doors.transitions.close.to).toBe('closed')
})

test('quotes and reports give their reasons', () => {
  const manager = actors.manager!
  const analyst = actors.analyst!
  const facts = { ...quote, state: 'draft', installationStarted: false, depositPaid: false } as const
  expect(quoteMachine.blockedReason('send', analyst, { ...facts, discountShare: 20_01 }, now)).toContain(
    '20\u00a0%',
  )
  expect(quoteMachine.can('send', manager, { ...facts, discountShare: 20_01 }, now)).toBe(true)
  const paid = { ...facts, state: 'accepted', validUntil: before, depositPaid: true } as const
  expect(quoteMachine.can('lapse', 'system', paid, now)).toBe(false)
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

test('a customer asks for one refund at a time', () => {
  expect(mayAskForRefund(1, [{ state: 'paid' }, { state: 'refused' }])).toBe(true)
  for (const state of ['requested', 'approved'] as const) expect(mayAskForRefund(1, [{ state }])).toBe(false)
  expect(mayAskForRefund(0, [])).toBe(false)
})
