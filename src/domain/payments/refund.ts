import { isManager, isSystem } from '../access/actor.ts'
import { machine, type StateFacts } from '../shared/state-machine.ts'

export const refundStateFacts = {
  requested: { label: 'Solicitado', tone: 'wait' },
  approved: { label: 'Aprobado', tone: 'info' },
  paid: { label: 'Pagado', tone: 'ok' },
  refused: { label: 'No procede', tone: 'bad' },
} as const satisfies Record<string, StateFacts>
export type RefundState = keyof typeof refundStateFacts

/** Asked for, and neither paid nor refused. */
export const openRefundStates = ['requested', 'approved'] as const satisfies readonly RefundState[]
/** Promised: the money goes back, or went. */
export const grantedRefundStates = ['approved', 'paid'] as const satisfies readonly RefundState[]

/** The whole life of a refund once it is asked for. */
export const refundMachine = /* @__PURE__ */ machine<{ state: RefundState }>()(
  {
    approve: { from: ['requested'], to: 'approved', by: isManager },
    refuse: { from: openRefundStates, to: 'refused', by: isManager },
    /** The cards' provider may say so, too. */
    pay: { from: ['approved'], to: 'paid', by: (actor) => isManager(actor) || isSystem(actor) },
    /** The cards' provider refused it: it has to go back in another way. */
    reopen: { from: ['approved'], to: 'requested', by: isSystem },
  },
  (state) => `Este reembolso ya está ${refundStateFacts[state].label.toLowerCase()}.`,
)

/** Whether what is in a customer's favour may be asked for, or proposed: once at a time. */
export const mayAskForRefund = (credit: number, refunds: readonly { state: RefundState }[]) =>
  credit > 0 && !refunds.some(({ state }) => openRefundStates.some((open) => open === state))
