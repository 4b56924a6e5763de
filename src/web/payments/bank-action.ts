import type { RouterContextProvider } from 'react-router'
import { z } from 'zod'
import { reconciles } from '../../domain/payments/bank-matching.ts'
import { type BankForm, bankInput, chosenColumns } from '../../domain/payments/bank-schema.ts'
import { thousands } from '../../domain/shared/format.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { db } from '../../server/app/context.ts'
import {
  confirmPair,
  confirmPairs,
  ignoreLine,
  reopenLine,
  tieByFolio,
} from '../../server/payments/changes.ts'
import { readStatement } from '../../server/payments/read.ts'
import { discardStatement, takeStatement } from '../../server/payments/statements.ts'
import { takeBackStatement } from '../../server/payments/take-back.ts'
import type { FormWithFiles } from '../documents/form-with-files.ts'
import { toast } from '../lib/flash.ts'
import { readFilters } from '../lib/lists.tsx'
import { load } from '../lib/load.ts'
import { someone } from '../lib/someone.ts'
import { submit } from '../lib/submit.ts'
import { bankPath, statementPath } from './bank-path.ts'

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
