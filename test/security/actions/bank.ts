import { randomUUID } from 'node:crypto'
import { bankLines, bankStatements } from '../../../src/server/platform/database/schema/payments.ts'
import type { World } from '../../kit/world.ts'
import type { Cast, Who } from '../cast.ts'
import { waitingPayment } from './payments.ts'
import type { Action } from './shape.ts'

/** A file that somebody handed in, whose columns are not confirmed yet. */
async function storeDraft({ db }: World, uploadedBy: string) {
  const content = `Fecha,Concepto,Abono\n24/11/2026,${randomUUID()},100.00\n`
  const row = {
    name: 'movimientos.csv',
    sha256: 'a',
    content,
    head: 0,
    headWords: '',
    columns: {},
    uploadedBy,
  }
  const [made] = await db.insert(bankStatements).values(row).returning()
  return { statementId: made!.id, version: '1' }
}

/** A movement of the bank of as much as the payment that waits. */
async function storeLine({ db }: World, cast: Cast, ignored = false) {
  const by = cast.manager.id
  const read = {
    name: 'a.csv',
    sha256: 'a',
    head: 0,
    headWords: '',
    columns: {},
    uploadedBy: by,
    readAt: new Date(),
  }
  const [statement] = await db.insert(bankStatements).values(read).returning()
  const decided = { state: 'ignored', reason: 'Un traspaso.', decidedBy: by, decidedAt: new Date() } as const
  const [line] = await db
    .insert(bankLines)
    .values({
      statementId: statement!.id,
      hash: randomUUID(),
      rowNumber: 2,
      bookedOn: '2026-11-20',
      amount: 100_00,
      description: 'SPEI RECIBIDO',
      reference: '',
      ...(ignored && decided),
    })
    .returning()
  return { lineId: line!.id, statementId: statement!.id }
}

type Make = (world: World, cast: Cast) => Promise<Record<string, string>>
const may = (heard: [analyst: number, manager: number]) => ({ analyst: heard[0], manager: heard[1] })

const action = (name: string, make: Make, who: Partial<Record<Who, number>>): Action => ({
  name,
  attempt: async (world, cast) => {
    const form = await make(world, cast)
    // Its columns are chosen on a page of its own, where what is wrong with them is said.
    const of = name === 'read-statement' ? `?archivo=${form.statementId}` : ''
    const path = name.endsWith('-proof') ? '/admin/payments' : `/admin/payments/banco${of}`
    return { path, form: { intent: name, ...form } }
  },
  ...(Object.keys(who).length > 0 && { may: who }),
})

const lineOf = async (world: World, cast: Cast, ignored = false) => {
  const { lineId } = await storeLine(world, cast, ignored)
  return { lineId }
}

async function pair(world: World, cast: Cast) {
  const { form } = await waitingPayment(world, cast, true)
  return { ...form, ...(await lineOf(world, cast)) }
}
const columns = { date: '0', description: '1', credit: '2', sign: '', reference: '', trackingKey: '' }

/** What the office does with the bank's movements. */
export const bankForms: readonly Action[] = [
  {
    ...action('upload-statement', async () => ({}), {}),
    // Its file is missing.
    hears: { analyst: 400, manager: 400 },
  },
  action(
    'read-statement',
    async (world, cast) => ({ ...(await storeDraft(world, cast.analyst.id)), ...columns }),
    {
      // Somebody else's file does not exist.
      ...may([303, 404]),
    },
  ),
  action(
    'discard-statement',
    async (world, cast) => ({ statementId: (await storeDraft(world, cast.analyst.id)).statementId }),
    may([303, 303]),
  ),
  action(
    'take-back-statement',
    async (world, cast) => ({ statementId: (await storeLine(world, cast)).statementId }),
    may([303, 303]),
  ),
  action('confirm-match', pair, may([303, 303])),
  action(
    'confirm-sure',
    async (world, cast) => {
      const { lineId, paymentId, version } = await pair(world, cast)
      return { pairs: `${lineId}:${paymentId}:${version}` }
    },
    may([303, 303]),
  ),
  action('tie-line', async (world, cast) => ({ ...(await lineOf(world, cast)), folio: 'PAG-1999-00001' }), {
    // There is no such payment.
    ...may([400, 400]),
  }),
  action(
    'ignore-line',
    async (world, cast) => ({ ...(await lineOf(world, cast)), reason: 'Un traspaso.' }),
    may([303, 303]),
  ),
  action('reopen-line', (world, cast) => lineOf(world, cast, true), may([303, 409])),
]

/** What the office does with the proofs of its queue. */
export const proofReviewForms: readonly Action[] = [
  action(
    'confirm-proof',
    async (world, cast) => ({
      ...(await waitingPayment(world, cast, true)).form,
      amount: '100',
      paidOn: '2026-11-20',
    }),
    may([303, 409]),
  ),
  action(
    'confirm-whole-proof',
    async (world, cast) => ({
      ...(await waitingPayment(world, cast, true)).form,
      paidOn: '2026-11-20',
    }),
    may([303, 409]),
  ),
  action(
    'reject-proof',
    async (world, cast) => ({ ...(await waitingPayment(world, cast, true)).form, reason: 'No es de aquí.' }),
    may([303, 409]),
  ),
]
