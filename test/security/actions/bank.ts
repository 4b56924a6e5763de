import { randomUUID } from 'node:crypto'
import { bankLines, bankStatements } from '../../../src/platform/database/schema/payments.ts'
import { fixture } from '../../kit/open.ts'
import { insertIn } from '../../kit/reading.ts'
import type { Everyone } from '../everyone.ts'
import { reviewing } from './payments.ts'
import { type Action, type Fields, formAt } from './shape.ts'

const page = '/admin/payments/banco'
const file = { name: 'movimientos.csv', sha256: 'a', head: 0, headWords: '', columns: {} }

/** A file that the analyst handed in, whose columns are not confirmed yet. */
async function storeDraft({ analyst }: Everyone) {
  const content = `Fecha,Concepto,Abono\n24/11/2026,${randomUUID()},100.00\n`
  const made = await insertIn(fixture, bankStatements, { ...file, content, uploadedBy: analyst.id })
  return { statementId: made.id }
}

/** A movement of the bank of as much as the payment that waits. */
async function storeLine(everyone: Everyone, ignored = false) {
  const by = everyone.manager.id
  const statement = await insertIn(fixture, bankStatements, { ...file, uploadedBy: by, readAt: new Date() })
  const decided = { state: 'ignored', reason: 'Un traspaso.', decidedBy: by, decidedAt: new Date() } as const
  const line = await insertIn(fixture, bankLines, {
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
  make: (everyone: Everyone) => Promise<Fields>,
  manager: number,
  analyst = 303,
): Action => ({
  name: intent,
  attempt: async (everyone) => {
    const form = await make(everyone)
    // Its columns are chosen on a page of its own, where what is wrong with them is said.
    const of = /^(preview|read)-statement$/.test(intent) ? `?archivo=${form.statementId}` : ''
    return { path: page + of, form: { intent, ...form } }
  },
  may: { analyst, manager },
})

async function pair(everyone: Everyone) {
  const { form } = await reviewing(everyone)
  return { ...form, lineId: (await storeLine(everyone)).lineId }
}
const columns = { version: '1', account: '1234', date: '0', description: '1', credit: '2' }

/** What the office does with the bank's movements. */
export const bankForms: readonly Action[] = [
  // Its file is missing.
  formAt('upload-statement', page, { intent: 'upload-statement' }, { hears: { analyst: 400, manager: 400 } }),
  ...['preview-statement', 'read-statement'].map((intent) =>
    action(
      intent,
      async (everyone) => ({ ...(await storeDraft(everyone)), ...columns }),
      // Someone else's file does not exist.
      404,
    ),
  ),
  action('discard-statement', storeDraft, 303),
  action('take-back-statement', storeLine, 303),
  action('confirm-match', pair, 303),
  action(
    'confirm-sure',
    async (everyone) => {
      const { lineId, paymentId, version } = await pair(everyone)
      return { pairs: `${lineId}:${paymentId}:${version}` }
    },
    303,
  ),
  action(
    'tie-line',
    async (everyone) => ({ ...(await storeLine(everyone)), folio: 'PAG-1999-00001' }),
    // There is no such payment.
    400,
    400,
  ),
  action(
    'ignore-line',
    async (everyone) => ({ ...(await storeLine(everyone)), reason: 'Un traspaso.' }),
    303,
  ),
  action('reopen-line', (everyone) => storeLine(everyone, true), 409),
]
