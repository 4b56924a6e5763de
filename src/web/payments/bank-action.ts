import type { RouterContextProvider } from 'react-router'
import { z } from 'zod'
import { reconciles } from '../../domain/payments/bank-matching.ts'
import { type BankForm, bankInput, chosenColumns, columnsAsked } from '../../domain/payments/bank-schema.ts'
import { thousands } from '../../domain/shared/format.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { db } from '../../server/app/context.ts'
import { listPayments } from '../../server/payments/book.ts'
import {
  confirmPair,
  confirmPairs,
  ignoreLine,
  reopenLine,
  tieByFolio,
} from '../../server/payments/changes.ts'
import { decidedMovements, openMovements, waitingPayments } from '../../server/payments/queries.ts'
import { readStatement, takeBackStatement } from '../../server/payments/read.ts'
import {
  discardStatement,
  draftStatement,
  readStatements,
  takeStatement,
} from '../../server/payments/statements.ts'
import { proofQueue } from '../../server/payments/waiting.ts'
import type { FormWithFiles } from '../documents/form-with-files.ts'
import { toast } from '../lib/flash.ts'
import { pageLinks, readFilters } from '../lib/lists.tsx'
import { load } from '../lib/load.ts'
import { someone } from '../lib/someone.ts'
import { submit } from '../lib/submit.ts'
import { bankPath, statementPath } from './bank-path.ts'
import { ledgerPart, partOf, paymentFilters } from './office-path.ts'

const uploading = z.object({ intent: z.literal('upload-statement') })

/** What the office says of the bank's movements. */
export const bankAction = (sent: FormWithFiles, context: Readonly<RouterContextProvider>) =>
  load(async () => {
    const [database, actor, now] = [context.get(db), someone(context), new Date()]
    if (!reconciles(actor)) refuse('permission-denied')
    if (sent.intent === 'upload-statement')
      return submit(sent.form, uploading, async () => {
        const id = await takeStatement(database, actor, sent.file('file'))
        return toast(statementPath(id), 'Recibimos el archivo', 'Revisa sus columnas y léelo.')
      })
    return submit(sent.form, bankInput, async (form) => {
      const [title, then] = await carryOut(context, form, now)
      return toast(bankPath(readFilters({}, new URL(sent.form.url)).after), title, then)
    })
  })

type Said = [title: string, then: string]

async function carryOut(context: Readonly<RouterContextProvider>, form: BankForm, now: Date): Promise<Said> {
  const [database, actor] = [context.get(db), someone(context)]
  switch (form.intent) {
    case 'read-statement': {
      const { statementId, version, intent, ...columns } = form
      const wish = { statementId, version, columns: chosenColumns(columns) }
      return readWords(await readStatement(database, actor, wish, now))
    }
    case 'discard-statement':
      await discardStatement(database, actor, form.statementId)
      return ['Descartamos el archivo', 'No se leyó nada de él.']
    case 'take-back-statement':
      await takeBackStatement(database, actor, form.statementId)
      return ['Deshicimos la lectura', 'Sube el archivo otra vez y revisa sus columnas.']
    case 'confirm-match':
      await confirmPair(database, actor, form, now)
      return ['Movimiento y pago, unidos', 'Si faltaba registrarlo, su cliente recibe su recibo.']
    case 'confirm-sure':
      return confirmedWords(await confirmPairs(database, actor, form.pairs.map(pairOf), now))
    case 'tie-line':
      await tieByFolio(database, actor, form, now)
      return ['Movimiento y pago, unidos', 'Si faltaba registrarlo, su cliente recibe su recibo.']
    case 'ignore-line':
      await ignoreLine(database, actor, form, now)
      return ['Anotado: no es un pago', 'Puedes regresarlo a la lista cuando quieras.']
    case 'reopen-line':
      await reopenLine(database, actor, form.lineId, now)
      return ['El movimiento vuelve a la lista', 'Únelo a su pago o anota que no lo es.']
  }
}

function pairOf(sent: string) {
  const [lineId = '', paymentId = '', version = ''] = sent.split(':')
  return { lineId, paymentId, version: Number(version) }
}

function readWords({ added, known }: { added: number; known: number }): Said {
  const before = known > 0 ? `${thousands(known)} ya los tenías.` : null
  if (added === 0) return ['No hay movimientos nuevos', before ?? 'El archivo no trae nada por revisar.']
  return [
    `${thousands(added)} ${added === 1 ? 'movimiento nuevo' : 'movimientos nuevos'}`,
    before ?? 'Únelos a sus pagos.',
  ]
}

function confirmedWords({ confirmed, left }: { confirmed: number; left: number }): Said {
  const title = `${thousands(confirmed)} ${confirmed === 1 ? 'pago confirmado' : 'pagos confirmados'}`
  return left > 0
    ? [title, `${thousands(left)} cambiaron mientras tanto: revísalos.`]
    : [title, 'Sus clientes reciben su recibo por correo.']
}

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
