import { randomUUID } from 'node:crypto'
import { bankLines, bankStatements } from '../../../src/platform/database/schema/payments.ts'
import { world } from '../../kit/open.ts'
import { insertIn } from '../../kit/reading.ts'
import type { Cast } from '../cast.ts'
import { reviewing } from './payments.ts'
import { type Action, type Fields, formAt } from './shape.ts'

const page = '/admin/payments/banco'
const file = { name: 'movimientos.csv', sha256: 'a', head: 0, headWords: '', columns: {} }

/** A file that the analyst handed in, whose columns are not confirmed yet. */
async function storeDraft({ analyst }: Cast) {
  const content = `Fecha,Concepto,Abono\n24/11/2026,${randomUUID()},100.00\n`
  const made = await insertIn(world, bankStatements, { ...file, content, uploadedBy: analyst.id })
  return { statementId: made.id }
}

/** A movement of the bank of as much as the payment that waits. */
async function storeLine(cast: Cast, ignored = false) {
  const by = cast.manager.id
  const statement = await insertIn(world, bankStatements, { ...file, uploadedBy: by, readAt: new Date() })
  const decided = { state: 'ignored', reason: 'Un traspaso.', decidedBy: by, decidedAt: new Date() } as const
  const line = await insertIn(world, bankLines, {
    statementId: statement.id,
    hash: randomUUID(),
    rowNumber: 2,
    bookedOn: '2026-11-20',
    amount: 100_00,
    description: 'SPEI RECIBIDO',
    reference: '',
    ...(ignored && decided),
  })
  return { lineId: line.id, statementId: statement.id }
}

/** A form of the bank's page, which the analyst sends first. */
const action = (
  intent: string,
  make: (cast: Cast) => Promise<Fields>,
  manager: number,
  analyst = 303,
): Action => ({
  name: intent,
  attempt: async (cast) => {
    const form = await make(cast)
    // Its columns are chosen on a page of its own, where what is wrong with them is said.
    const of = /^(preview|read)-statement$/.test(intent) ? `?archivo=${form.statementId}` : ''
    return { path: page + of, form: { intent, ...form } }
  },
  may: { analyst, manager },
})

async function pair(cast: Cast) {
  const { form } = await reviewing(cast)
  return { ...form, lineId: (await storeLine(cast)).lineId }
}
const columns = { version: '1', account: '1234', date: '0', description: '1', credit: '2' }

/** What the office does with the bank's movements. */
export const bankForms: readonly Action[] = [
  // Its file is missing.
  formAt('upload-statement', page, { intent: 'upload-statement' }, { hears: { analyst: 400, manager: 400 } }),
  ...['preview-statement', 'read-statement'].map((intent) =>
    action(
      intent,
      async (cast) => ({ ...(await storeDraft(cast)), ...columns }),
      // Someone else's file does not exist.
      404,
    ),
  ),
  action('discard-statement', storeDraft, 303),
  action('take-back-statement', storeLine, 303),
  action('confirm-match', pair, 303),
  action(
    'confirm-sure',
    async (cast) => {
      const { lineId, paymentId, version } = await pair(cast)
      return { pairs: `${lineId}:${paymentId}:${version}` }
    },
    303,
  ),
  action(
    'tie-line',
    async (cast) => ({ ...(await storeLine(cast)), folio: 'PAG-1999-00001' }),
    // There is no such payment.
    400,
    400,
  ),
  action('ignore-line', async (cast) => ({ ...(await storeLine(cast)), reason: 'Un traspaso.' }), 303),
  action('reopen-line', (cast) => storeLine(cast, true), 409),
]
