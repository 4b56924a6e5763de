import { type Actor, type Mover, staffKinds } from '../../src/access/rules/actor.ts'
import { checkoutMachine } from '../../src/payments/rules/payment.ts'
import { machines as drawn } from '../kit/state-diagrams.ts'

const someone = (id: string, kind: Actor['kind'], agencyId: string | null = null) =>
  ({ id, role: kind ? 'staff' : 'customer', kind, agencyId }) as Actor
export const actors: Record<string, Mover> = {
  system: 'system',
  customer: someone('customer', null),
  stranger: someone('stranger', null),
  author: someone('author', 'tecnician'),
  gester2: someone('gester2', 'gester'),
  owner: someone('owner', 'alliate', 'agency'),
  colleague: someone('colleague', 'alliate', 'agency'),
  // The owner, once they work for another agency.
  moved: someone('owner', 'alliate', 'other'),
  ...Object.fromEntries(staffKinds.map((kind) => [kind, someone(kind, kind)])),
}
export const now = new Date('2026-11-22T18:00:00Z')
export const before = new Date('2026-11-01T18:00:00Z')
const after = new Date('2026-11-30T18:00:00Z')

type Facts = { now?: Date; [name: string]: unknown }
type Rule = { facts?: Facts; table: string; when?: Record<string, Facts> }
const office = 'manager,analyst'
export const quote = {
  customerId: 'customer',
  validUntil: after,
  discountShare: 0,
  belowList: 0,
  belowCost: false,
  approved: false,
}

const startsAt = new Date('2026-11-24T16:00:00Z')
/** So many minutes after an appointment's start. */
const minutes = (count: number) => new Date(startsAt.getTime() + count * 60_000)
const inTime = { rights: { until: minutes(-15), left: 1 } }
/** A call whose customer is in its room since before the start, so many minutes after it. */
const waited = (count: number) => ({
  service: 'videocall',
  customerWaitingSince: minutes(-10),
  customerCameAt: minutes(-10),
  now: minutes(count),
})

const running =
  'gathering ready_to_file filed inspection observed corrected approved contract_signed meter_installed'.split(
    ' ',
  )

export const machines: Record<string, unknown> = { ...drawn, checkout: checkoutMachine }

/**
 * Each transition: by whom, from which states, to which; all else is refused, and where it leads to "-" it is not theirs to
 * make. `when` holds the facts of its right moment.
 */
export const rules: Record<string, Rule> = {
  appointment: {
    facts: {
      service: 'technical_visit',
      assigneeId: 'author',
      provisional: false,
      customerId: 'customer',
      startsAt,
      setOutAt: minutes(-20),
      startedAt: minutes(-20),
      customerWaitingSince: null,
      customerCameAt: null,
      callBackAskedAt: null,
      takenOverAt: null,
      now: minutes(-15),
    },
    when: {
      reschedule: inTime,
      rescheduleAnew: inTime,
      rescheduleTo: inTime,
      cancel: inTime,
      cancelLate: { rights: { until: minutes(-16), left: 1 } },
      undoCallStart: { service: 'videocall' },
      noShow: { service: 'videocall', now: minutes(15) },
      takeOver: waited(3),
      keepWaiting: waited(10),
      askCallBack: { service: 'videocall' },
      missCall: waited(30),
      nobodyCame: { now: minutes(30) },
    },
    table: `
      assign manager requested assigned
      autoConfirm system requested assigned
      reassign manager assigned assigned
      release author,manager,system assigned,en_route requested
      reschedule customer,manager requested,assigned same
      rescheduleAnew customer,manager requested,assigned requested
      rescheduleTo customer,manager requested,assigned assigned
      cancel customer,manager requested,assigned cancelled
      cancelLate customer requested,assigned cancelled
      undoCancel manager cancelled assigned
      letGo system requested,assigned cancelled
      setOut author assigned en_route
      runLate author,manager assigned,en_route same
      start author assigned,en_route in_progress
      undoSetOut author,manager en_route assigned
      undoStart author,manager in_progress en_route
      undoCallStart author,manager in_progress assigned
      callOff author,manager en_route,in_progress,paused cancelled
      pause author in_progress paused
      resume author paused in_progress
      finish author in_progress,paused done
      reopen manager requested,assigned,en_route,cancelled,no_show done
      noShow author,manager assigned,en_route,in_progress no_show
      undoNoShow author,manager no_show in_progress
      takeOver ${office} assigned,in_progress same
      keepWaiting customer requested,assigned same
      askCallBack customer requested,assigned,in_progress,paused same
      missCall system requested,assigned cancelled
      nobodyCame customer requested,assigned,en_route same
      answerNobodyCame manager requested,assigned,en_route same`,
  },
  case: {
    facts: { kind: 'second_meter', heldFrom: 'filed', gesterId: 'gester', unvalidated: 0 },
    when: { close: { kind: 'name_change' } },
    table: `
      complete manager,gester gathering ready_to_file
      reopen manager,gester ready_to_file gathering
      file manager,gester ready_to_file filed
      inspect manager,gester filed,corrected inspection
      observe manager,gester inspection observed
      correct manager,gester observed corrected
      approve manager,gester inspection approved
      sign manager,gester approved contract_signed
      installMeter manager,gester contract_signed meter_installed
      close manager,gester meter_installed,contract_signed closed
      hold manager,gester ${running.join()} on_hold
      resume manager,gester on_hold filed
      reject manager,gester filed,inspection,observed,corrected rejected
      cancel manager,gester ${running.join()},on_hold cancelled
      cancel system gathering,ready_to_file cancelled
      cancel system ${running.slice(2).join()},on_hold,closed,rejected,cancelled -`,
  },
  code: {
    facts: {
      ownerId: 'owner',
      agencyId: 'agency',
      endsOn: null,
      uses: 0,
      maxUses: 10,
      benefit: { kind: 'none' },
      limit: { kind: 'none' },
    },
    when: {
      ask: { benefit: { kind: 'free_visit' } },
      exhaust: { uses: 10 },
      expire: { endsOn: '2026-11-21' },
    },
    table: `
      activate owner,manager draft active
      ask owner draft draft
      approve manager draft active
      refuse manager draft revoked
      pause owner,manager active paused
      resume owner,manager paused active
      revoke owner,manager draft,active,paused,exhausted revoked
      exhaust system active exhausted
      expire system draft,active,paused expired
      giveBack system exhausted active`,
  },
  commission: {
    table: `
      approve system pending approved
      pay manager approved paid`,
  },
  bankLine: {
    table: `
      settle ${office} open settled
      tie ${office} open recorded
      ignore ${office} open ignored
      reopen ${office} ignored open
      free ${office} settled open
      untie ${office} recorded open`,
  },
  payment: {
    facts: { customerId: 'customer' },
    table: `
      sendProof customer pending,expired in_review
      replaceProof customer in_review in_review
      takeBackProof customer in_review pending
      payByCard customer pending pending
      confirmProof ${office} in_review paid
      matchBankLine ${office} pending,in_review,expired,cancelled paid
      remind ${office} pending pending
      rejectProof ${office} in_review pending
      record manager pending,in_review,expired,cancelled paid
      settle system pending,in_review,expired,cancelled paid
      expire system pending expired
      cancel system,manager pending,in_review cancelled`,
  },
  refund: {
    table: `
      approve manager requested approved
      refuse manager requested,approved refused
      pay manager,system approved paid
      reopen system approved requested`,
  },
  invoice: {
    table: `
      issue system,${office} requested issued
      drop ${office} requested cancelled
      cancel manager issued cancelled`,
  },
  fiscal: {
    facts: { customerId: 'customer', rfc: 'XAXX010101000', hasConstancia: false },
    table: `
      keep customer draft draft
      submit customer draft,submitted,verified,rejected submitted
      verify ${office} submitted verified
      reject ${office} submitted rejected`,
  },
  quote: {
    facts: { ...quote, installationStarted: false, depositPaid: false },
    when: { expire: { validUntil: before }, lapse: { validUntil: before } },
    table: `
      send system,${office} draft sent
      unsend ${office} sent draft
      view customer sent viewed
      remind ${office} sent,viewed same
      accept customer sent,viewed accepted
      reject customer sent,viewed rejected
      askChanges customer sent,viewed changes_requested
      expire system sent,viewed expired
      withdraw ${office} draft,sent,viewed,changes_requested withdrawn
      supersede ${office} sent,viewed,rejected,withdrawn,changes_requested,expired,lapsed superseded
      improve system sent,viewed superseded
      replace customer accepted superseded
      cancel manager,customer accepted cancelled
      askAnew customer expired,lapsed,cancelled same
      lapse system accepted lapsed`,
  },
  report: {
    facts: { assigneeId: 'author', provisional: false, appointmentState: 'in_progress', authorGone: true },
    when: { claim: { assigneeId: null, takenFrom: 'author' }, ask: { appointmentState: 'done' } },
    table: `
      write author draft,returned same
      correct ${office} draft,submitted,returned same
      claim author draft same
      submit author draft,returned submitted
      approve ${office} submitted,returned approved
      return ${office} submitted returned
      ask ${office} draft returned`,
  },
  checkout: {
    table: `
      wait system opening,open waiting
      pay system opening,open,waiting,failed,expired paid
      fail system opening,open,waiting failed
      expire system opening,open expired`,
  },
  message: {
    table: `
      sent system sending sent
      delivered system sending,sent delivered
      read system sending,sent,delivered read
      failed system sending,sent failed`,
  },
}
