import type { RouterContextProvider } from 'react-router'
import { columnsAsked } from '../../domain/payments/bank-schema.ts'
import { db } from '../../server/app/context.ts'
import { listPayments } from '../../server/payments/book.ts'
import { decidedMovements, openMovements, waitingPayments } from '../../server/payments/queries.ts'
import { draftStatement, readStatements } from '../../server/payments/statements.ts'
import { proofQueue } from '../../server/payments/waiting.ts'
import { pageLinks, readFilters } from '../lib/lists.tsx'
import { someone } from '../lib/someone.ts'
import { bankPath } from './bank-path.ts'
import { ledgerPart, partOf, paymentFilters } from './office-path.ts'

type Asked = { context: Readonly<RouterContextProvider>; url: URL }

/** What the address of /admin/payments asks for; the other parts stay null, and are not read. */
export async function loadOffice(asked: Asked) {
  const part = partOf(asked.url)
  const [queue, book, bank] = await Promise.all([
    part === 'revision' ? proofQueue(asked.context.get(db), someone(asked.context)) : null,
    part === 'libro' ? loadBook(asked) : null,
    part === 'banco' ? loadBank(asked) : null,
  ])
  return { part, queue, book, bank, now: new Date() }
}

async function loadBook({ context, url }: Asked) {
  const actor = someone(context)
  const { after, filters } = readFilters(paymentFilters, url)
  const { next, ...page } = await listPayments(context.get(db), actor, filters, after)
  return {
    ...{ ...page, filters, exports: actor.kind === 'manager' },
    ...pageLinks({ ...ledgerPart, ...filters }, after, next),
  }
}

async function loadBank({ context, url }: Asked) {
  const [database, actor] = [context.get(db), someone(context)]
  const id = url.searchParams.get('archivo')
  const draft = id === null ? null : await draftStatement(database, actor, id)
  if (draft)
    return { draft: { ...draft, columns: columnsAsked(url.searchParams) ?? draft.columns }, movements: null }
  const [open, decided, statements, waiting] = await Promise.all([
    openMovements(database, actor, readFilters({}, url).after),
    decidedMovements(database, actor),
    readStatements(database, actor),
    waitingPayments(database, actor),
  ])
  const { isFirst, next, ...page } = open
  const pages = { first: isFirst ? null : bankPath(), next: next && bankPath(next) }
  return { draft: null, movements: { open: { ...page, ...pages }, decided, statements, waiting } }
}
