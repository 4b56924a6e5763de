import { redirect } from 'react-router'
import { customerWords } from '../../kit/customer-words.ts'
import { redirectWithToast } from '../../kit/flash.ts'
import { readFilters } from '../../kit/list/filters.ts'
import { type LoaderContext, signedIn } from '../../kit/request.ts'
import { checked, form } from '../../kit/submit.ts'
import { counted, thousands } from '../../shared/format.ts'
import { refuse } from '../../shared/refusal.ts'
import { paymentsWithoutMovement, waitingPayments } from '../bank-candidates.ts'
import {
  confirmPair,
  confirmPairs,
  decidedMovements,
  ignoreLine,
  openMovements,
  reopenLine,
  tieByFolio,
} from '../bank-matching.ts'
import { reconciles } from '../rules/bank-matching.ts'
import { bankInput } from '../rules/schema.ts'
import {
  discardStatement,
  draftStatement,
  previewStatement,
  takeStatement,
  waitingStatement,
} from '../statement-drafts.ts'
import { type ImportedCounts, readStatement, readStatements, takeBackStatement } from '../statements.ts'
import { allLacking, bankPath, statementPath } from './office-path.ts'

/** The office's decisions about the bank's movements, at the page of them that the address names. */
export function bankForms(context: LoaderContext, url: URL) {
  const { db, actor, now } = signedIn(context)
  const done = (title: string, then: string) =>
    redirectWithToast(bankPath(readFilters({}, url).after), title, then)
  const tied = async (id: string) => {
    const then = 'Si faltaba registrarlo, el cliente recibe su recibo.'
    return done('Movimiento asignado a su pago', await customerWords(db, { of: 'payments', id }, then))
  }
  return checked(() => reconciles(actor) || refuse('permission-denied'), {
    ...statementForms(context, done),
    'confirm-match': form(bankInput['confirm-match'], async (pair) => {
      await confirmPair(db, actor, pair, now)
      return tied(pair.paymentId)
    }),
    'confirm-sure': form(bankInput['confirm-sure'], async ({ pairs }) =>
      done(...confirmedWords(await confirmPairs(db, actor, pairs.map(pairOf), now))),
    ),
    'tie-line': form(bankInput['tie-line'], async (input) => {
      return tied(await tieByFolio(db, actor, input, now))
    }),
    'ignore-line': form(bankInput['ignore-line'], async (input) => {
      await ignoreLine(db, actor, input, now)
      return done('Anotado: no es un pago', 'Puedes regresarlo a la lista cuando quieras.')
    }),
    'reopen-line': form(bankInput['reopen-line'], async ({ lineId }) => {
      await reopenLine(db, actor, lineId, now)
      return done('El movimiento vuelve a la lista', 'Asígnalo a su pago o anota que no lo es.')
    }),
  })
}

type Said = [title: string, then: string]

function statementForms(context: LoaderContext, done: (...said: Said) => Promise<Response>) {
  const { db, actor, now } = signedIn(context)
  return {
    'upload-statement': form(bankInput['upload-statement'], async (_, { file }) => {
      const id = await takeStatement(db, actor, file('file'))
      return redirectWithToast(statementPath(id), 'Recibimos el archivo', 'Revisa sus columnas e impórtalo.')
    }),
    'preview-statement': form(bankInput['preview-statement'], async (input) => {
      await previewStatement(db, actor, input)
      return redirect(statementPath(input.statementId), 303)
    }),
    'read-statement': form(bankInput['read-statement'], async (input) =>
      done(...readWords(await readStatement(db, actor, input, now))),
    ),
    'discard-statement': form(bankInput['discard-statement'], async ({ statementId }) => {
      await discardStatement(db, actor, statementId)
      return done('Descartamos el archivo', 'No se importó nada de él.')
    }),
    'take-back-statement': form(bankInput['take-back-statement'], async ({ statementId }) => {
      await takeBackStatement(db, actor, statementId)
      return done('Deshicimos la importación', 'Sube el archivo otra vez y revisa sus columnas.')
    }),
  }
}

function pairOf(sent: string) {
  const [lineId = '', paymentId = '', version = ''] = sent.split(':')
  return { lineId, paymentId, version: Number(version), sure: null }
}

function readWords({ added, known, left }: ImportedCounts): Said {
  const before = known > 0 ? `${thousands(known)} ya los tenías.` : ''
  const alike =
    left > 0 ? `${counted(left, 'parecido', 'parecidos')} a los que ya tienes: quedaron fuera.` : ''
  const then = [before, alike].filter(Boolean).join(' ')
  if (added === 0) return ['No hay movimientos nuevos', then || 'El archivo no trae nada por revisar.']
  return [counted(added, 'movimiento nuevo', 'movimientos nuevos'), then || 'Asígnalos a sus pagos.']
}

function confirmedWords({ confirmed, left }: { confirmed: number; left: number }): Said {
  const title = `${thousands(confirmed)} ${confirmed === 1 ? 'pago confirmado' : 'pagos confirmados'}`
  return left > 0
    ? [title, `${thousands(left)} no se registraron: revísalos uno por uno.`]
    : [title, 'Los clientes que tienen correo reciben su recibo.']
}

type Asked = { context: LoaderContext; url: URL }

/** The bank's movements, or the file whose columns the address asks to confirm. */
export async function loadBank({ context, url }: Asked) {
  const { db, actor } = signedIn(context)
  const id = url.searchParams.get('archivo')
  const draft = id === null ? null : await draftStatement(db, actor, id)
  if (draft) return { draft, movements: null }
  const [left, open, decided, statements, waiting, lacking] = await Promise.all([
    waitingStatement(db, actor),
    openMovements(db, actor, readFilters({}, url).after),
    decidedMovements(db, actor),
    readStatements(db, actor),
    waitingPayments(db, actor),
    paymentsWithoutMovement(db, actor, url.searchParams.has(allLacking)),
  ])
  const { isFirst, next, ...page } = open
  const pages = { first: isFirst ? null : bankPath(), next: next && bankPath(next) }
  const movements = {
    left,
    open: { ...page, ...pages },
    decided,
    statements,
    waiting,
    lacking,
    now: new Date(),
  }
  return { draft: null, movements }
}
