import { cfeCases, cfePapers } from '../../../src/platform/database/schema/cfe.ts'
import { documents } from '../../../src/platform/database/schema/payments.ts'
import { fixture, runSql, storeRows } from '../../kit/open.ts'
import { storeDraft, visited } from '../../kit/quotes.ts'
import { insertIn } from '../../kit/reading.ts'
import type { Everyone } from '../everyone.ts'
import { homeOf } from './own-appointments.ts'
import {
  type Action,
  type Actions,
  customers,
  type Fields,
  formAt,
  type Heards,
  managerOnly,
} from './shape.ts'

let count = 0
const nextFolio = (prefix: string) => `${prefix}-2020-9${String(++count).padStart(5, '0')}`

/** A case of the customer's that the gester handles, or no one does, with one paper to look over. */
async function stored({ customer, gester }: Everyone, isNobodys = false) {
  await runSql`delete from cfe_papers`
  await runSql`delete from cfe_cases`
  const { projectId } = await homeOf(customer)
  const whose = { customerId: customer.id, projectId }
  const row = await insertIn(fixture, cfeCases, {
    ...whose,
    folio: nextFolio('GES'),
    kind: 'load_increase',
    waitingOn: 'gester',
    gesterId: isNobodys ? null : gester.id,
  })
  const file = { name: 'recibo.pdf', type: 'application/pdf', bytes: 1, sha256: 'a'.repeat(64) } as const
  const document = await insertIn(fixture, documents, {
    ...whose,
    ...file,
    purpose: 'cfe_paper',
    uploadedBy: customer.id,
  })
  const received = { state: 'received', documentId: document.id, receivedAt: new Date() } as const
  await storeRows(cfePapers, { caseId: row.id, name: 'bill', ...received })
  return { id: row.id, paper: { paper: 'bill', seen: document.id } }
}

type About = Awaited<ReturnType<typeof stored>>
type Form = Fields | ((about: About, everyone: Everyone) => Fields)

/** A form of the screen of a case. */
const onCase = (
  intent: string,
  answered: { may?: Heards; hears?: Heards },
  form: Form,
  isNobodys = false,
): Action => ({
  name: intent,
  async attempt(everyone) {
    const about = await stored(everyone, isNobodys)
    const fields = typeof form === 'function' ? form(about, everyone) : form
    return { path: `/admin/gesties/${about.id}`, form: { intent, ...fields } }
  },
  ...answered,
})

const version = '1'
/** The second comes too late. */
const gesterFirst = { may: { gester: 303, manager: 409 } }

/** A customer's paper, which is not in the form: nothing is sent but words. */
export const ownPaperForm = formAt(
  'hand-in-case-paper',
  '/installation',
  async (...of) => ({ intent: 'hand-in-case-paper', caseId: (await stored(...of)).id, paper: 'bill' }),
  { hears: customers(400) },
)

/** A step that was not made. */
export const caseUndo = formAt(
  "undo a case's step",
  '/admin/deshacer',
  async (...of) => ({ changes: `tramite:${(await stored(...of)).id}:2`, back: '/admin' }),
  { may: { gester: 303, manager: 303 } },
)

/** Cases with CFE. */
export const cases: Actions = {
  'cfe/screens/list.tsx': [
    formAt(
      'cases.open',
      '/admin/gesties',
      async (everyone) => {
        const { analyst, customer, technician } = everyone
        await stored(everyone)
        const visit = await visited(customer, technician, await homeOf(customer))
        const draft = { folio: nextFolio('COT'), state: 'withdrawn' } as const
        const { folio } = await storeDraft(fixture, visit, analyst, draft)
        return { intent: 'cases.open', folio, kind: 'name_change' }
      },
      gesterFirst,
    ),
    formAt(
      'cases.hand-over',
      '/admin/gesties',
      async (everyone) => {
        await stored(everyone)
        const to = await fixture.person({ kind: 'gester' })
        return { intent: 'cases.hand-over', from: everyone.gester.id, to: to.id }
      },
      managerOnly,
    ),
  ],
  'cfe/screens/case.tsx': [
    onCase('case.move', gesterFirst, { version, move: 'hold', reason: 'Falta algo.' }),
    onCase('case.ask-paper', gesterFirst, { asked: 'sketch', label: '', askedFrom: 'gester' }),
    onCase('case.validate', gesterFirst, ({ paper }) => paper),
    onCase('case.return', { may: { manager: 303, gester: 409 } }, ({ paper }) => ({
      ...paper,
      reason: 'Está borroso.',
    })),
    onCase('case.facts', gesterFirst, {
      version,
      holderName: '',
      serviceNumber: '123456789012',
      meterNumber: 'M1',
      poleMetres: '12',
    }),
    onCase('case.note', { may: { gester: 303, manager: 303 } }, { note: 'Hablé con CFE.' }),
    // The file is not in the form.
    onCase('case.hand-in', { hears: { gester: 400, manager: 400 } }, { paper: 'bill' }),
    onCase('case.take', { may: { gester: 303 }, hears: { manager: 400 } }, { version }, true),
    onCase(
      'case.give',
      // To whom it is given: there already.
      { may: { manager: 303, gester: 303 } },
      (_, everyone) => ({ version, gesterId: everyone.gester.id }),
      true,
    ),
  ],
}
